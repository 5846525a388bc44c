import { readFileSync } from 'node:fs'
import { z } from 'zod'

/** The version in package.json: the compiled files are one folder deeper than their sources. */
export const productVersion: string = versionIn(['../package.json', '../../package.json'])

function versionIn(paths: readonly string[]): string {
  for (const path of paths) {
    try {
      const text = readFileSync(new URL(path, import.meta.url), 'utf8')
      return z.object({ version: z.string() }).parse(JSON.parse(text)).version
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    }
  }
  return 'dev'
}
