import type { AccountId } from '../../domain/ids/ids.ts'
import type { LimitValues } from '../../domain/limits/limit-keys.ts'
import { noPremiumFields } from '../../domain/premium/premium.ts'
import type { Ports } from '../ports.ts'

/** The limits of an account of which only the id is at hand. An account that does not exist has those of everybody. */
export async function limitsOfAccount(
  { limits, queries }: Pick<Ports, 'limits' | 'queries'>,
  id: AccountId,
): Promise<LimitValues> {
  const account = await queries.accounts.find(id)
  return limits.ofAccount(account ?? { id, bot: false, traits: [], premiumFlags: 0, premium: noPremiumFields })
}
