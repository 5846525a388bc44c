import { createHash } from 'node:crypto'
import { lstat, mkdir, mkdtemp } from 'node:fs/promises'
import path from 'node:path'
import { canEnter, giveTo, type ServerAccount } from './account.js'
import { temporaryFolders } from './binary-copy.js'
import { EmbeddedPostgresError, reasonOf, systemCode } from './error.js'

/** What fits into an address of a unix socket: 108 bytes with the closing NUL on Linux, 104 on macOS. */
const SOCKET_PATH_BYTES_MAX = 103
const LONGEST_FILE = '.s.PGSQL.5432'
const PRIVATE = 0o700

/**
 * A folder for the socket of the cluster in that folder, which only the account (and root) can enter. It lies below
 * a temporary folder under a short name, because the path of a data folder may be longer than a socket's may be.
 * The guard removes it.
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

/** Makes that very folder again where a Postgres that ended has taken it along. Rejects where it is somebody else's by now. */
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

/** Left by a start that was killed. Somebody else's folder of that name is none of ours, and must not stop us either. */
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
