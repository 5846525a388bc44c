import { networkOf, oneClient } from '../../../domain/network/network-of.ts'
import type { Requester } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { Rate } from '../../ports/allowances.ts'
import type { Ports } from '../../ports.ts'

type Needs = Pick<Ports, 'allowances'>

const failures = 'failed handoff codes'
const failuresRate: Rate = { requests: 5, seconds: 15 * 60 }
const block = 'handoff codes'
/** Full again a quarter of an hour after the latest failure. */
const blockRate: Rate = { requests: 1, seconds: 15 * 60 }

/** Refuses clients that tried too many unknown codes with INVALID_HANDOFF_CODE. */
export async function requireNotBlocked({ allowances }: Needs, { ip }: Pick<Requester, 'ip'>): Promise<void> {
  const allowance = await allowances.look(block, networkOf(ip, oneClient), blockRate)
  if (!allowance.allowed) reject('INVALID_HANDOFF_CODE')
}

/** Counts an unknown code. The fifth one blocks its client. */
export async function countFailure({ allowances }: Needs, { ip }: Pick<Requester, 'ip'>): Promise<void> {
  const client = networkOf(ip, oneClient)
  await allowances.take(failures, client, failuresRate)
  const next = await allowances.look(failures, client, failuresRate)
  if (next.allowed) return
  await allowances.reset(failures, client)
  await allowances.take(block, client, blockRate)
}
