import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { limitKeys } from '../../../domain/limits/limit-keys.ts'
import { limitsToCome } from '../../../domain/limits/limits-to-come.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
/** The folders that apply limits; `domain/limits` only defines them. */
const folders = ['application', 'domain', 'gateway', 'adapters']

function sources(): readonly string[] {
  return folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => path.join(folder, file))
      .filter((file) => file.endsWith('.ts') && !file.startsWith(path.join('domain', 'limits')))
      .map((file) => withoutComments(readFileSync(path.join(root, file), 'utf8'))),
  )
}

function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\/\/.*/g, '')
}

describe('every limit that an operator can set', () => {
  const code = sources().join('\n')
  const isRead = (key: string): boolean => new RegExp(`\\b${key}\\b`).test(code)

  it('is read by what it limits, or is one of those to come', () => {
    expect(limitKeys.filter((key) => !isRead(key) && !limitsToCome.has(key))).toStrictEqual([])
  })
  it('is no longer to come once something reads it', () => {
    expect([...limitsToCome].filter(isRead)).toStrictEqual([])
  })
})
