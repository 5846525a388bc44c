import type { AccountId } from '../../../domain/ids/ids.js'
import { compareSnowflakes } from '../../../domain/ids/snowflake.js'
import { rejectWith } from '../../commands/refused.js'
import type { LimitedAccount } from '../../ports/limits.js'
import type { Ports } from '../../ports.js'

type Needs = Pick<Ports, 'limits' | 'queries' | 'reservations'>

/**
 * Runs an act that may give two accounts one more relationship each, if both may have one more: else 400 MAX_FRIENDS.
 * Friends, requests of both kinds and blocks all count. The act resolves once the read models hold what it wrote.
 * Accounts are taken in the order of their ids, so that two acts never deadlock.
 */
export async function withinRelationships<Result extends object>(
  ports: Needs,
  [one, other]: readonly [LimitedAccount, LimitedAccount],
  act: () => Promise<Result>,
): Promise<Result> {
  const [first, second] = compareSnowflakes(one.id, other.id) < 0 ? [one, other] : [other, one]
  return within(ports, first, () => within(ports, second, act))
}

async function within<Result extends object>(
  { limits, queries, reservations }: Needs,
  account: LimitedAccount,
  act: () => Promise<Result>,
): Promise<Result> {
  const { id } = account
  const { max_relationships } = await limits.ofAccount(account)
  const count = (): Promise<number> => queries.relationships.countOf(id)
  const done = await reservations.within(relationshipsOf(id), max_relationships, count, act)
  return done ?? rejectWith('MAX_FRIENDS', { max_relationships })
}

/** Runs an act that may give an account one more relationship whatever the limit, and counts it nevertheless. */
export async function countedAmongRelationships<Result extends object>(
  { queries, reservations }: Pick<Needs, 'queries' | 'reservations'>,
  id: AccountId,
  act: () => Promise<Result>,
): Promise<Result> {
  const count = (): Promise<number> => queries.relationships.countOf(id)
  const done = await reservations.within(relationshipsOf(id), Number.MAX_SAFE_INTEGER, count, act)
  if (!done) throw new Error('An act that no limit applies to was refused')
  return done
}

const relationshipsOf = (id: AccountId): string => `relationships of account ${id}`
