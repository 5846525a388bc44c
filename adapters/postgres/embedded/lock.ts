import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { FolderInUse, systemCode } from './error.ts'
import { bareEnvironment } from './process.ts'

/** How long the processes of a killed start may take to end. */
const LOCK_SECONDS_MAX = 10
const CONFLICT = 75

/**
 * Locks the open lock file of a folder. Every process that works on the folder's data inherits the descriptor, so once we hold
 * the lock, no process of an earlier start is left. Unlike a claim, it also excludes processes whose numbers we cannot see:
 * those of another container on the same volume. The lock is released when we close the descriptor and no child has it any
 * more.
 *
 * Does nothing if the host has no flock(1), such as macOS, or the file system has no locks.
 *
 * Rejects if another process holds the lock and keeps it.
 */
export async function holdLock(folder: string, descriptor: number): Promise<void> {
  const flock = spawn('flock', ['-w', String(LOCK_SECONDS_MAX), '-E', String(CONFLICT), '3'], {
    env: bareEnvironment(),
    stdio: ['ignore', 'ignore', 'ignore', descriptor],
  })
  try {
    const [status]: unknown[] = await once(flock, 'exit')
    if (status !== CONFLICT) return
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return
    throw error
  }
  throw new FolderInUse(
    `DATA_DIR ${folder} is in use by a process that cannot be named from here: one in another container, ` +
      'or one of a Postgres that was killed and has not ended yet.',
  )
}
