import { createHash } from 'node:crypto'
import { lstat, mkdir, mkdtemp } from 'node:fs/promises'
import path from 'node:path'
import { canEnter, giveTo, type ServerAccount } from './account.ts'
import { temporaryFolders } from './binary-copy.ts'
import { EmbeddedPostgresError, reasonOf, systemCode } from './error.ts'

/** The longest address of a unix socket: 108 bytes with the closing NUL on Linux, 104 on macOS. */
const SOCKET_PATH_BYTES_MAX = 103
const LONGEST_FILE = '.s.PGSQL.5432'
const PRIVATE = 0o700

/**
 * A folder for the cluster's socket, which only the account (and root) can enter. It is below a temporary folder and has a
 * short name, because a data folder's path may be longer than a socket's path may be. The guard removes it.
 */
export async function makeSocketFolder(cluster: string, account: ServerAccount): Promise<string> {
  const name = `guildhall-${createHash('sha256').update(cluster).digest('hex').slice(0, 12)}`
  const reasons: string[] = []
  for (const temporary of temporaryFolders()) {
    const wanted = path.join(temporary, name)
    if (Buffer.byteLength(path.join(`${wanted}-XXXXXX`, LONGEST_FILE)) > SOCKET_PATH_BYTES_MAX) {
      reasons.push(`${temporary} is too long a path`)
    } else if (!(await canEnter(account, temporary))) {
      reasons.push(`${account.name} cannot enter ${temporary}`)
    } else {
      const made = await makePrivate(wanted, account)
      if (!('reason' in made)) return made.folder
      reasons.push(made.reason)
    }
  }
  throw new EmbeddedPostgresError(`There is no place for the socket of Postgres: ${reasons.join('; ')}.`)
}

/** Makes the same folder again if a Postgres that ended has removed it. Rejects if it belongs to another account by now. */
export async function keepSocketFolder(folder: string, account: ServerAccount): Promise<void> {
  if (await isOursAlready(folder, account)) return
  await mkdir(folder, { mode: PRIVATE })
  await giveTo(account, folder)
}

async function makePrivate(
  wanted: string,
  account: ServerAccount,
): Promise<{ readonly folder: string } | { readonly reason: string }> {
  try {
    return { folder: (await isOursAlready(wanted, account)) ? wanted : await make(wanted, account) }
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return { reason: reasonOf(error) }
  }
}

/** A killed start may have left it. A folder of that name that belongs to another account is not ours, and must not stop us. */
async function isOursAlready(wanted: string, { identity }: ServerAccount): Promise<boolean> {
  try {
    const found = await lstat(wanted)
    const owned = found.uid === (identity.uid ?? process.getuid?.())
    return found.isDirectory() && owned && (found.mode & 0o777) === PRIVATE
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false
    throw error
  }
}

async function make(wanted: string, account: ServerAccount): Promise<string> {
  const folder = await mkdir(wanted, { mode: PRIVATE }).then(
    () => wanted,
    async (error: unknown) => {
      if (systemCode(error) === 'EEXIST') return mkdtemp(`${wanted}-`)
      throw error
    },
  )
  await giveTo(account, folder)
  return folder
}
