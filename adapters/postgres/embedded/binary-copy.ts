import { createHash } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { chmod, copyFile, lstat, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { reasonOf, systemCode } from './error.ts'
import { linksHydrated, packageName, type PackageBinaries } from './package-binaries.ts'

const GROUP_OR_WORLD_WRITABLE = 0o022
const OWNER_EXECUTABLE = 0o100

/** Folders for files that may be lost between two starts, the best first. */
export function temporaryFolders(): string[] {
  return [...new Set([os.tmpdir(), '/tmp', '/var/tmp'])]
}

/**
 * A copy of the package's binaries (60 MB) that every account can read, below a temporary folder; kept for the next start.
 * Needed if Postgres runs as an account that cannot enter the checkout, for example one in root's home.
 *
 * Never uses a folder that another account made, or could have written to, because its files would be executed.
 */
export async function copyBinaries(
  source: PackageBinaries,
  temporary: string,
): Promise<PackageBinaries | { readonly reason: string }> {
  const identity = createHash('sha256').update(`${packageName}@${source.version}`).digest('hex').slice(0, 12)
  const folder = path.join(temporary, `guildhall-postgres-${process.getuid?.() ?? 0}-${identity}`)
  const copy = { native: folder, version: source.version }
  try {
    const existing = await trustOf(folder)
    if (existing === 'foreign') return { reason: `${folder} is not ours alone, so nothing in it is executed` }
    if (existing === 'ours' && isComplete(source.native, folder) && (await linksHydrated(folder))) return copy
    await makeCopy(source.native, folder)
    return (await trustOf(folder)) === 'ours' ? copy : { reason: `${folder} was taken by somebody else` }
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return { reason: `it cannot be copied to ${folder}: ${reasonOf(error)}` }
  }
}

async function trustOf(folder: string): Promise<'absent' | 'ours' | 'foreign'> {
  try {
    const found = await lstat(folder)
    const ours = found.isDirectory() && found.uid === process.getuid?.() && (found.mode & GROUP_OR_WORLD_WRITABLE) === 0
    return ours ? 'ours' : 'foreign'
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return 'absent'
    throw error
  }
}

/**
 * Built in a separate folder and renamed in one step, so that a killed or a second process never leaves or sees half a copy.
 */
async function makeCopy(native: string, folder: string): Promise<void> {
  const partial = await mkdtemp(`${folder}-partial-`)
  try {
    await copyTree(native, partial)
    await linksHydrated(partial)
    if (isComplete(native, folder)) return
    // An existing copy lacks files: cleaners of temporary folders delete them one by one.
    await rename(folder, path.join(partial, 'replaced')).catch(ignore('ENOENT'))
    await rename(partial, folder).catch(ignore('ENOTEMPTY', 'EEXIST'))
    await rm(path.join(folder, 'replaced'), { recursive: true, force: true })
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
}

async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  await chmod(to, 0o755)
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)]
    if (entry.isDirectory()) await copyTree(source, target)
    if (!entry.isFile()) continue
    await copyFile(source, target)
    await chmod(target, statSync(source).mode & OWNER_EXECUTABLE ? 0o755 : 0o644)
  }
}

function isComplete(from: string, to: string): boolean {
  return readdirSync(from, { withFileTypes: true }).every((entry) => {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)]
    if (entry.isDirectory()) return isComplete(source, target)
    return !entry.isFile() || statSync(target, { throwIfNoEntry: false })?.size === statSync(source).size
  })
}

function ignore(...codes: readonly string[]) {
  return (error: unknown) => {
    if (!codes.includes(systemCode(error) ?? '')) throw error
  }
}
