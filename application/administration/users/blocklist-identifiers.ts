import { deletionReasonName } from '../../../domain/account/deletion-reasons.ts'
import type { Account } from '../../../domain/account/state.ts'
import { severities } from '../../../domain/blocklist-entry/lists.ts'
import type { Acting } from '../../caller.ts'
import { readListedValue } from '../../content-rules/listed-value.ts'
import type { Ports } from '../../ports.ts'
import { addEntries } from '../blocklists/change-blocklists.ts'

/**
 * Puts the e-mail address of an account on the blocklist, with the header's reason or one that names why the account is
 * deleted.
 */
export async function blocklistIdentifiers(
  ports: Pick<Ports, 'aggregates' | 'blocklistBox'>,
  { account: admin, context }: Acting,
  { email }: Pick<Account, 'email'>,
  reasonCode: number,
): Promise<void> {
  const value = email === null ? undefined : readListedValue('email', email)
  if (!value?.ok) return
  const details = {
    category: 'manual',
    severity: severities.BLOCK,
    matchSubdomains: false,
    sourceUrl: null,
    notes: null,
    contentType: null,
    reason: context.reason ?? `The account's deletion was scheduled: ${deletionReasonName(reasonCode)}`,
  } as const
  await addEntries(ports, { list: 'email', scope: null, values: [value.value] }, details, admin.id, context)
}
