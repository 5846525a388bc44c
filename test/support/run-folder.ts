import { chmodSync, existsSync, mkdtempSync, readFileSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const memoryFolder = '/dev/shm'
/** A run keeps some 20 Postgres clusters at once, of 60 MB each. */
const free_bytes_min = 4 * 2 ** 30

/**
 * Makes the folder for all files of a run: in memory if the machine has room for it, because a database has some hundred files,
 * which take ten times as long to make on a disk.
 */
export function makeRunFolder(): string {
  const folder = mkdtempSync(path.join(hasRoomInMemory() ? memoryFolder : tmpdir(), 'guildhall-tests-'))
  // As for any folder for temporary files: some tests start processes of other users.
  chmodSync(folder, 0o1777)
  return folder
}

function hasRoomInMemory(): boolean {
  if (!existsSync(memoryFolder) || !existsSync('/proc/mounts')) return false
  const mount = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .find((line) => line.split(' ')[1] === memoryFolder)
  // Postgres runs from a copy there.
  if (mount === undefined || mount.split(' ')[3]?.split(',').includes('noexec')) return false
  const { bavail, bsize } = statfsSync(memoryFolder)
  return bavail * bsize >= free_bytes_min
}
