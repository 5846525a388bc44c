import type { AccountId } from '../../../domain/ids/ids.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'

type Needs = Pick<Ports, 'aggregates' | 'storeHash'>

/** The hash by which a token of an account is found and compared. */
export function tokenHashOf({ storeHash }: Pick<Ports, 'storeHash'>, token: string): string {
  return storeHash(`account token\n${token}`)
}

/**
 * The token that the account's purchases carry in the stores. The first caller makes it: of two at the same moment,
 * both get the same one. Refuses with UNAUTHORIZED if nobody holds the account any more.
 */
export async function storeTokenOf(ports: Needs, accountId: AccountId, context: CommandContext): Promise<string> {
  const { account } = ports.aggregates
  const { state } = await account.load(accountId)
  if (state.status !== 'registered') return reject('UNAUTHORIZED')
  if (state.premium.storeToken) return state.premium.storeToken.token ?? reject('UNAUTHORIZED')
  const token = uuid4(context.randomBytes(16))
  const make = { type: 'MakeStoreToken', token, tokenHash: tokenHashOf(ports, token), now: context.now } as const
  const { state: after } = await account.execute(accountId, make, context)
  return (after.status === 'registered' && after.premium.storeToken?.token) || reject('UNAUTHORIZED')
}

/** A UUID of version 4 in lower case. */
function uuid4(random: Uint8Array): string {
  const bytes = Buffer.from(random)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
