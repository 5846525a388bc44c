import type { AccountId } from '../../../domain/ids/ids.ts'
import type { Caller } from '../../caller.ts'
import { deletedAccount } from '../../wire-objects/identity/deleted-account.ts'
import {
  privateChannelObject,
  type PrivateChannelObject,
} from '../../wire-objects/conversations/private-channel-objects.ts'
import type { PrivateChannel } from '../../ports/queries/private-channel-queries.ts'
import type { Ports } from '../../ports.ts'

export type ViewNeeds = Pick<Ports, 'messages' | 'queries'>

/** The objects of private channels as the caller, one of their recipients, sees them, in the given order. */
export async function privateChannelViews(
  { messages, queries }: ViewNeeds,
  { account: { id: viewer } }: Pick<Caller, 'account'>,
  channels: readonly PrivateChannel[],
): Promise<readonly PrivateChannelObject[]> {
  const ids = new Set(channels.flatMap(({ recipients }) => recipients))
  const last = await messages.lastOf(channels.map(({ id }) => id))
  const accounts = await accountsOf({ queries }, [...ids])
  const account = (id: AccountId) => accounts.get(id) ?? deletedAccount(id)
  return channels.map((channel) => privateChannelObject({ channel, account, last: last.get(channel.id) }, viewer))
}

/** The same for one channel. */
export async function privateChannelView(
  ports: ViewNeeds,
  caller: Pick<Caller, 'account'>,
  channel: PrivateChannel,
): Promise<PrivateChannelObject> {
  const [view] = await privateChannelViews(ports, caller, [channel])
  if (!view) throw new Error('A private channel has no object')
  return view
}

/** AccountQueries takes this many accounts in one query. */
const accountsPerQuery_max = 1000

async function accountsOf({ queries }: Pick<Ports, 'queries'>, ids: readonly AccountId[]) {
  const found = new Map<AccountId, Awaited<ReturnType<typeof queries.accounts.findMany>>[number]>()
  for (let from = 0; from < ids.length; from += accountsPerQuery_max) {
    const records = await queries.accounts.findMany(ids.slice(from, from + accountsPerQuery_max))
    for (const record of records) found.set(record.id, record)
  }
  return found
}
