import type { InviteCode } from '../../../domain/ids/ids.ts'
import { networkOf, oneClient } from '../../../domain/network/network-of.ts'
import type { Caller, Requester } from '../../caller.ts'
import { rejectWith } from '../../commands/refused.ts'
import type { Allowance, Rate } from '../../ports/allowances.ts'
import type { Ports } from '../../ports.ts'

type Needs = Pick<Ports, 'allowances'>

/** The one who looks an invite up: an account, counted apart from its network, or a client without an account. */
export type Guesser = Pick<Requester, 'ip'> & Partial<Pick<Caller, 'account'>>

const name = 'unknown invite codes'
/**
 * How many unknown codes an account, or all clients without an account on one network, may look up. A page of old invites looks
 * up some, an office looks up those of all its people, and guessing needs millions.
 */
const rate: Rate = { requests: 300, seconds: 600 }

const toldName = 'unknown invite code told'
/** How long looking up the same unknown code again costs nothing. */
const told: Rate = { requests: 1, seconds: 600 }
/** What is kept of it has something left to give, so that it goes first where space is wanted. */
const kept: Rate = { requests: 2, seconds: 1200 }

/**
 * Runs `find` for a code. A found code costs nothing. An unknown code costs once: looking it up again guesses nothing new and is
 * limited only by the bucket of its route. After too many unknown codes, refuses with RATE_LIMITED before the lookup, since
 * otherwise existing codes could still be told apart (rules/invites#guesses). Of concurrent lookups, all that begin before the last
 * guess is charged may run, and each may be charged.
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
