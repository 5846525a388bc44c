import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { open, readFile, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { EmbeddedPostgresError, FolderInUse, systemCode } from './error.ts'
import { parsePid, runningProcess } from './process.ts'

const ATTEMPTS_MAX = 5
const APPENDING = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW

/** The right to run Postgres on a folder, until released. */
export interface FolderClaim {
  /** The descriptor of the folder's lock file (lock.ts). */
  readonly lock: number
  readonly release: () => Promise<void>
}

interface ClaimLine {
  readonly id: string
  readonly pid: number
  readonly startedAt: string
}

/**
 * The ids of the claims that this process holds, or has just written. A line with our process number and another id was left by an
 * earlier process of that number.
 */
const ours = new Set<string>()

/**
 * Claims a folder for this process. Every process appends its line to the folder's `claims` file and then reads the file: the
 * first line of a living process wins. Appends have an order, so of many that start at once exactly one wins. A line of a
 * killed process loses its meaning with that process.
 *
 * Rejects with `DATA_DIR … is in use by process N`.
 */
export async function claimFolder(folder: string): Promise<FolderClaim> {
  const file = path.join(folder, 'claims')
  const mine: ClaimLine = {
    id: randomUUID(),
    pid: process.pid,
    startedAt: runningProcess(process.pid)?.startedAt ?? '',
  }
  ours.add(mine.id)
  try {
    await win(folder, file, mine)
    const lock = await openOwned(folder, path.join(folder, 'lock'))
    return { lock: lock.fd, release: () => release(file, mine, lock) }
  } catch (error) {
    ours.delete(mine.id)
    throw error
  }
}

async function release(file: string, mine: ClaimLine, lock: FileHandle): Promise<void> {
  if (!ours.has(mine.id)) return
  await lock.close()
  await rm(file, { force: true })
  ours.delete(mine.id)
}

async function win(folder: string, file: string, mine: ClaimLine): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    // Looked at before anything is written: a process that waits for the folder must not make the file grow.
    const holder = firstLiving(await readIfThere(file))
    if (holder !== undefined) throw inUse(folder, holder)
    await append(folder, file, formatClaim(mine))
    const winner = firstLiving(await readIfThere(file))
    // Not even our own line: the holder shortened or removed the file in between, and has ended since.
    if (winner === undefined) continue
    if (winner.id === mine.id) return keepOnly(folder, file, mine)
    await append(folder, file, `release ${mine.id}\n`)
    throw inUse(folder, winner)
  }
  throw new EmbeddedPostgresError(`DATA_DIR ${folder} changes hands too fast to be claimed. Start one process on it.`)
}

const inUse = (folder: string, { pid }: ClaimLine): FolderInUse =>
  new FolderInUse(
    `DATA_DIR ${folder} is in use by process ${pid}. Stop that process, or give this one another DATA_DIR.`,
  )

function firstLiving(text: string): ClaimLine | undefined {
  const lines = text.split('\n').map((line) => line.split(' '))
  const released = new Set(lines.filter(([kind]) => kind === 'release').map(([, id]) => id))
  return lines.map(parseClaim).find((claim) => claim !== undefined && !released.has(claim.id) && isLiving(claim))
}

function isLiving(claim: ClaimLine): boolean {
  if (claim.pid === process.pid) return ours.has(claim.id)
  const found = runningProcess(claim.pid)
  if (found === undefined) return false
  // Another start time under the same number means another process. If start times are not visible, the number has to do.
  return found.startedAt === undefined || claim.startedAt === '' || found.startedAt === claim.startedAt
}

function parseClaim([kind, id, pidText, startedAt]: readonly string[]): ClaimLine | undefined {
  const pid = parsePid(pidText)
  if (kind !== 'claim' || id === undefined || pid === undefined) return undefined
  return { id, pid, startedAt: startedAt ?? '' }
}

function formatClaim({ id, pid, startedAt }: ClaimLine): string {
  return `claim ${id} ${pid} ${startedAt}\n`
}

/** Keeps the file from growing. Safe while this process holds the claim: processes that appended meanwhile read our line. */
async function keepOnly(folder: string, file: string, mine: ClaimLine): Promise<void> {
  const next = path.join(folder, 'claims.next')
  await rm(next, { force: true })
  await append(folder, next, formatClaim(mine))
  await rename(next, file)
}

async function append(folder: string, file: string, line: string): Promise<void> {
  const handle = await openOwned(folder, file)
  try {
    await handle.appendFile(line)
  } finally {
    await handle.close()
  }
}

/**
 * Opens one of our files for appending. A file that root creates is given to the folder's owner, who may start us next time.
 */
async function openOwned(folder: string, file: string): Promise<FileHandle> {
  const handle = await open(file, APPENDING, 0o600)
  if (process.getuid?.() !== 0) return handle
  const owner = await stat(folder)
  await handle.chown(owner.uid, owner.gid)
  return handle
}

async function readIfThere(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return ''
    throw error
  }
}
