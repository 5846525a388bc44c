import { execFile } from 'node:child_process'
import { lchown, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { EmbeddedPostgresError, reasonOf, systemCode } from './error.ts'
import { bareEnvironment } from './process.ts'

const run = promisify(execFile)
const ANSWER_MS_MAX = 10_000

/** The operating system account that Postgres runs under. */
export interface ServerAccount {
  readonly name: string
  /** The options for spawn to run as that account; empty if it is our own account. */
  readonly identity: { readonly uid?: number; readonly gid?: number }
}

/**
 * The account for the cluster in that folder. Postgres refuses to run as root. So if we are root, it is the owner of the data,
 * and for new data `postgres` if the host has that account, otherwise `nobody`. Nothing on the host changes.
 *
 * Rejects if the data belongs to an account that this process cannot switch to.
 */
export async function serverAccount(cluster: string): Promise<ServerAccount> {
  const ownUid = process.getuid?.()
  const owner = await ownerOf(cluster)
  if (ownUid !== 0) {
    if (owner === undefined || owner.uid === ownUid) return { name: `uid ${ownUid}`, identity: {} }
    throw new EmbeddedPostgresError(
      `The Postgres data in ${cluster} belongs to user id ${owner.uid}, and this process is user id ${ownUid}. ` +
        'Start Guildhall as that user or as root, or give it another DATA_DIR.',
    )
  }
  if (owner !== undefined && owner.uid !== 0) return { name: `uid ${owner.uid}`, identity: owner }
  const account = (await lookUp('postgres')) ?? (await lookUp('nobody'))
  if (account !== undefined) return account
  throw new EmbeddedPostgresError(
    'Postgres refuses to run as root, and this host has neither a user postgres nor a user nobody. ' +
      'Start Guildhall as an ordinary user, or set DATABASE_URL.',
  )
}

/** Gives a file or folder that we just made to the account. */
export async function giveTo({ identity, name }: ServerAccount, target: string): Promise<void> {
  if (identity.uid === undefined || identity.gid === undefined) return
  try {
    await lchown(target, identity.uid, identity.gid)
  } catch (error) {
    throw new EmbeddedPostgresError(
      `Postgres cannot run as root, and ${target} cannot be given to ${name}: ${reasonOf(error)}. ` +
        'Start Guildhall as an ordinary user, choose a DATA_DIR on a local disk, or set DATABASE_URL.',
    )
  }
}

/** Whether the account can enter a folder. Its rights on the folder and on every folder above decide. */
export async function canEnter(account: ServerAccount, folder: string): Promise<boolean> {
  if (account.identity.uid === undefined) return true
  try {
    const options = { ...account.identity, cwd: '/', env: bareEnvironment(), timeout: ANSWER_MS_MAX }
    await run('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], options)
    return true
  } catch (error) {
    if (systemCode(error) !== undefined) throw error
    return false
  }
}

async function lookUp(name: string): Promise<ServerAccount | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])])
    return { name, identity: { uid: Number(uid.stdout), gid: Number(gid.stdout) } }
  } catch (error) {
    if (systemCode(error) !== undefined) throw error
    return undefined
  }
}

async function ownerOf(folder: string): Promise<{ uid: number; gid: number } | undefined> {
  try {
    const { uid, gid } = await stat(folder)
    return { uid, gid }
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}
