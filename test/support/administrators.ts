import type { AdminAcl } from '../../domain/admin/acls.ts'
import { accountId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { bodyOf } from '../operations/support/answers.ts'
import { testContext } from './test-context.ts'
import type { TestAccount, TestGuildhall } from './test-guildhall.ts'

/** Registers an account that holds these ACLs. */
export async function administrator(guildhall: TestGuildhall, ...acls: readonly AdminAcl[]): Promise<TestAccount> {
  const account = await guildhall.register()
  await giveAcls(guildhall, account, acls)
  return account
}

/** Replaces an account's ACLs, as an operator could at the command line. */
export async function giveAcls(
  { ports, readModels }: Pick<TestGuildhall, 'ports' | 'readModels'>,
  { id }: Pick<TestAccount, 'id'>,
  acls: readonly AdminAcl[],
): Promise<void> {
  const context = testContext()
  await ports.aggregates.account.execute(accountId(snowflake(id)), { type: 'SetAcls', acls }, context)
  await readModels.reached(context.written)
}

/** Makes an Admin key over HTTP. Gives the value of its header. */
export async function adminKeyOf(
  { request }: TestGuildhall,
  { token }: TestAccount,
  ...acls: readonly AdminAcl[]
): Promise<string> {
  const made = await request('POST', '/v1/admin/api-keys', { token, body: { name: 'Key', acls } })
  return `Admin ${String(bodyOf(made)['key'])}`
}

/** An entry of the admin audit log as it is in history. */
export interface RecordedEntry {
  readonly entryId: string
  readonly adminId: string
  readonly credential: string
  readonly action: string
  readonly targetType: string
  readonly targetId: string
  readonly metadata: Readonly<Record<string, string>>
  /** Also a personal one. */
  readonly reason: string | null
}

/** Every entry of the admin audit log, oldest first. */
export async function auditEntries({ store }: Pick<TestGuildhall, 'store'>): Promise<readonly RecordedEntry[]> {
  const entries: RecordedEntry[] = []
  for await (const page of store.events.readStream('admin_audit-self', -1))
    for (const { type, data } of page) if (type === 'AdminActionRecorded') entries.push(recordedEntry(data))
  return entries
}

/** The entry in the data of an AdminActionRecorded. */
export function recordedEntry(data: object): RecordedEntry {
  const { personalReason = null, ...entry } = data as RecordedEntry & { readonly personalReason?: string | null }
  return { ...entry, reason: personalReason ?? entry.reason }
}
