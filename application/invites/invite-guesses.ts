import { networkOf, oneClient } from '../../domain/network/network-of.js'
import type { Caller, Requester } from '../caller.js'
import { rejectWith } from '../commands/refused.js'
import type { Allowance, Rate } from '../ports/allowances.js'
import type { Ports } from '../ports.js'

type Needs = Pick<Ports, 'allowances'>

/** Who looks an invite up: an account, or a client without one. */
export type Guesser = Pick<Requester, 'ip'> & Partial<Pick<Caller, 'account'>>

const name = 'unknown invite codes'
/** Codes that are no invite's, which somebody may ask for: what shows old invites asks for some, and guessing needs millions. */
const rate: Rate = { requests: 30, seconds: 600 }

/**
 * Runs `find` for a code that somebody gave. One that is found costs nothing. Refuses with RATE_LIMITED, before it looks, once
 * the guesser has asked for too many that were not, since a code that exists would else still be told apart (abuse matrix,
 * A15). Of lookups at the same time, each may look that began before the last guess was charged.
 */
export async function findWithinGuesses<Found>(
  { allowances }: Needs,
  { account, ip }: Guesser,
  find: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  const guesser = account ? `account ${account.id}` : `client ${networkOf(ip, oneClient)}`
  requireAllowed(await allowances.look(name, guesser, rate))
  const found = await find()
  if (found === undefined) requireAllowed(await allowances.take(name, guesser, rate))
  return found
}

function requireAllowed(allowance: Allowance): void {
  if (!allowance.allowed) rejectWith('RATE_LIMITED', { global: false, retry_after: allowance.retryAfterSeconds })
}
