import type { InviteCode } from '../../../domain/ids/ids.js'
import { networkOf, oneClient } from '../../../domain/network/network-of.js'
import type { Caller, Requester } from '../../caller.js'
import { rejectWith } from '../../commands/refused.js'
import type { Allowance, Rate } from '../../ports/allowances.js'
import type { Ports } from '../../ports.js'

type Needs = Pick<Ports, 'allowances'>

/** Who looks an invite up: an account, which no network's guesses count for, or a client without one. */
export type Guesser = Pick<Requester, 'ip'> & Partial<Pick<Caller, 'account'>>

const name = 'unknown invite codes'
/**
 * Codes that are no invite's, which an account, or all who share a network without one, may ask for. What shows old invites asks
 * for some, an office asks for those of all its people, and guessing needs millions.
 */
const rate: Rate = { requests: 300, seconds: 600 }

const toldName = 'unknown invite code told'
/** How long a code that somebody was told of costs nothing again. */
const told: Rate = { requests: 1, seconds: 600 }
/** What is kept of it has something left to give, so that it goes first where space is wanted (abuse matrix, A33). */
const kept: Rate = { requests: 2, seconds: 1200 }

/**
 * Runs `find` for a code that somebody gave. One that is found costs nothing, and one that is not costs once: asking for it
 * again guesses nothing, and is limited by the bucket of its route alone. Refuses with RATE_LIMITED, before it looks, once
 * the guesser has asked for too many that were not, since a code that exists would else still be told apart (abuse matrix,
 * A15). Of lookups at the same time, each may look that began before the last guess was charged, and each may pay.
 */
export async function findWithinGuesses<Found>(
  { allowances }: Needs,
  { account, ip }: Guesser,
  code: InviteCode,
  find: () => Promise<Found | undefined>,
): Promise<Found | undefined> {
  const guesser = account ? `account ${account.id}` : `client ${networkOf(ip, oneClient)}`
  const asked = `${guesser} ${code}`
  const isNew = async () => (await allowances.look(toldName, asked, told)).allowed
  const allowance = await allowances.look(name, guesser, rate)
  if (!allowance.allowed && (await isNew())) refuse(allowance)
  const found = await find()
  if (found === undefined && (await isNew())) {
    const charged = await allowances.take(name, guesser, rate)
    if (!charged.allowed) refuse(charged)
    await allowances.take(toldName, asked, kept)
  }
  return found
}

function refuse({ retryAfterSeconds }: Extract<Allowance, { readonly allowed: false }>): never {
  return rejectWith('RATE_LIMITED', { global: false, retry_after: retryAfterSeconds })
}
