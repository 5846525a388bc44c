import type { EntryDetails } from '../../../domain/blocklist-entry/events.ts'
import { blocks, type Blocklist, type ProfileScope } from '../../../domain/blocklist-entry/lists.ts'
import type { AccountId } from '../../../domain/ids/ids.ts'
import { networkOf, oneClient } from '../../../domain/network/network-of.ts'
import type { Caller } from '../../caller.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { reject } from '../../commands/refused.ts'
import { liftNetworkBan } from '../network-bans/ban-network.ts'
import type { Ports } from '../../ports.ts'
import { entryIdOf, entryIdsOf, storedValue } from '../../content-rules/entry-ids.ts'
import { listedAddress, type ListedValue } from '../../content-rules/listed-value.ts'

type Needs = Pick<Ports, 'aggregates' | 'blocklistBox'>

/** Values of one list, and of one scope if the list has scopes. */
export interface ListedValues {
  readonly list: Blocklist
  readonly scope: ProfileScope | null
  readonly values: readonly ListedValue[]
}

/**
 * Adds values to a list. Values that are already listed get the new details. Refuses with IP_BAN_DECLINED for an
 * address in a private network, of a trusted proxy, or in the caller's own network. See
 * rules/administration#blocklists.
 */
export function addToBlocklist(ports: Needs & Pick<Ports, 'isProtectedAddress'>) {
  return async (caller: Caller, values: ListedValues, details: EntryDetails): Promise<void> => {
    if (values.list === 'ip') declineProtected(ports, caller, values.values)
    await addEntries(ports, values, details, caller.account.id, caller.context)
  }
}

/** Adds values to a list, each by its own append. If the process dies, those already added stay, and all can be added again. */
export async function addEntries(
  { aggregates, blocklistBox }: Needs,
  { list, scope, values }: ListedValues,
  details: EntryDetails,
  addedBy: AccountId,
  context: CommandContext,
): Promise<void> {
  const each = new Map(values.map((value) => [value.key, value]))
  await Promise.all(
    [...each.values()].map(async (value) => {
      const entryId = entryIdOf({ blocklistBox }, list, scope, value)
      const stored = storedValue(blocklistBox, list, entryId, value.value)
      const entry = { entryId, list, scope, value: stored, details, addedBy, now: context.now }
      await aggregates.blocklistEntry.execute(entryId, { type: 'AddBlocklistEntry', ...entry }, context)
    }),
  )
}

/**
 * Changes the details of a value, in the named scope or in every scope where it is listed. Refuses with NOT_FOUND if it is not
 * listed, and with IP_BAN_DECLINED if the change would block an address that `addToBlocklist` refuses.
 */
export function changeBlocklistEntry(ports: Needs & Pick<Ports, 'isProtectedAddress' | 'queries'>) {
  return async (
    caller: Caller,
    { list, scope, values }: ListedValues,
    changes: Partial<EntryDetails>,
  ): Promise<void> => {
    const { aggregates, queries } = ports
    const ids = values.flatMap((value) => entryIdsOf(ports, list, scope, value))
    const listed = await queries.blocklists.findMany(ids)
    if (listed.length === 0) reject('NOT_FOUND')
    if (list === 'ip' && changes.severity !== undefined && blocks(changes.severity))
      declineProtected(ports, caller, values)
    for (const { entryId } of listed)
      await aggregates.blocklistEntry.execute(entryId, { type: 'ChangeBlocklistEntry', changes }, caller.context)
  }
}

/**
 * Removes values from a list, in one scope or in all of the list. Values that are not listed are ignored. Removing an address
 * also lifts a ban of its network, since the address is to be let in.
 */
export function removeFromBlocklist(ports: Needs) {
  return async ({ context }: Caller, values: ListedValues): Promise<void> => {
    await removeEntries(ports, values, context)
    if (values.list !== 'ip') return
    for (const value of values.values) await liftNetworkBan(ports)(context, listedAddress(value))
  }
}

/** Removes values from a list, each by its own append. */
export async function removeEntries(
  { aggregates, blocklistBox }: Needs,
  { list, scope, values }: ListedValues,
  context: CommandContext,
): Promise<void> {
  const ids = new Set(values.flatMap((value) => entryIdsOf({ blocklistBox }, list, scope, value)))
  await Promise.all(
    [...ids].map((id) => aggregates.blocklistEntry.execute(id, { type: 'RemoveBlocklistEntry' }, context)),
  )
}

function declineProtected(
  { isProtectedAddress }: Pick<Ports, 'isProtectedAddress'>,
  { ip }: Caller,
  values: readonly ListedValue[],
): void {
  const own = networkOf(ip, oneClient)
  for (const value of values)
    if (value.key === own || isProtectedAddress(listedAddress(value))) reject('IP_BAN_DECLINED')
}
