import { aggregate } from '../kernel/aggregate-definition.ts'
import { accept, refuse, type Decision } from '../kernel/decider.ts'
import { field } from '../kernel/refusal.ts'
import type { ClaimHandle, HandleCommand, ReleaseHandle } from './commands.ts'
import { handleEvents, type HandleEvent } from './events.ts'
import {
  discriminatorMax,
  discriminatorMin,
  discriminatorsOf,
  noDiscriminator,
  type HandleState,
  type Held,
} from './state.ts'

/** A username and its discriminators. The lowercase username names its stream, which makes tags unique. */
export const handle = aggregate({
  category: 'handle',
  identifiedBy: 'the username in lower case',
  guards: 'which discriminators of a username are taken, or that the username is unique',
  stateVersion: 1,
  events: handleEvents,
  initial: { status: 'absent' },
  decide,
  evolve,
})

function decide(state: HandleState, command: HandleCommand): Decision<HandleEvent> {
  switch (command.type) {
    case 'ClaimHandle':
      return claim(state, command)
    case 'ReleaseHandle':
      return release(state, command)
  }
}

function claim(state: HandleState, command: ClaimHandle): Decision<HandleEvent> {
  const own = discriminatorsOf(state, command.accountId)
  const held = state.status === 'claimed' ? state.held : []
  if (own.length > 0) return isChange(own, command) ? claimOther(held, command) : accept()
  return command.alone === true ? claimAlone(held, command) : claimNumbered(held, command)
}

/** The account keeps the username and replaces its discriminator by the wanted one, by any, or by none at all. */
function claimOther(held: readonly Held[], command: ClaimHandle): Decision<HandleEvent> {
  if (command.alone === true) return claimAlone(othersIn(held, command), command)
  return command.wish === undefined ? claimNumbered(held, command) : claimWished(held, command)
}

function othersIn(held: readonly Held[], { accountId }: ClaimHandle): readonly Held[] {
  return held.filter(([, holder]) => holder !== accountId)
}

/** Claims the whole username, in any letter case: else USERNAME_ALREADY_TAKEN. */
function claimAlone(held: readonly Held[], command: ClaimHandle): Decision<HandleEvent> {
  if (held.length > 0) return refuse('INVALID_FORM_BODY', field('username', 'USERNAME_ALREADY_TAKEN'))
  return accept(claimed(command, noDiscriminator))
}

/**
 * Each account has one discriminator. If none is free, the username is refused. A wish that accepts no other
 * discriminator is refused with TAG_ALREADY_TAKEN.
 */
function claimNumbered(held: readonly Held[], command: ClaimHandle): Decision<HandleEvent> {
  const { roll, wish } = command
  const drawn = held.filter(([discriminator]) => discriminator >= discriminatorMin)
  const isFree = wish !== undefined && !held.some(([discriminator]) => discriminator === wish.discriminator)
  if (drawn.length >= discriminatorMax && !isFree) {
    return refuse('INVALID_FORM_BODY', field('username', 'TOO_MANY_USERS_WITH_THIS_USERNAME'))
  }
  if (isFree || wish?.otherwise === 'refuse') return claimWished(held, command)
  return accept(claimed(command, freeDiscriminator(drawn, roll)))
}

/** Claims exactly the wanted discriminator. */
function claimWished(held: readonly Held[], command: ClaimHandle): Decision<HandleEvent> {
  const { wish } = command
  if (wish === undefined || held.some(([discriminator]) => discriminator === wish.discriminator))
    return refuse('INVALID_FORM_BODY', field('discriminator', 'TAG_ALREADY_TAKEN'))
  return accept(claimed(command, wish.discriminator))
}

/** Whether an account replaces the single discriminator that it holds of the username by another. */
function isChange(own: readonly number[], { username, wish, replaces, alone }: ClaimHandle): boolean {
  const [only, ...more] = own
  const isReplaced = replaces?.discriminator === only && replaces?.username.toLowerCase() === username.toLowerCase()
  const wanted = alone === true ? noDiscriminator : wish?.discriminator
  return isReplaced && more.length === 0 && wanted !== only
}

function claimed({ username, accountId, replaces }: ClaimHandle, discriminator: number): HandleEvent {
  const tag = { username: username.toLowerCase(), discriminator, accountId }
  return { type: 'HandleClaimed', data: replaces === undefined ? tag : { ...tag, replaces } }
}

function release(state: HandleState, command: ReleaseHandle): Decision<HandleEvent> {
  if (state.status === 'absent') return accept()
  const { username } = state
  const { accountId, discriminator: only } = command
  const freed = discriminatorsOf(state, accountId).filter((each) => only === undefined || each === only)
  return accept(
    ...freed.map((discriminator): HandleEvent => ({
      type: 'HandleReleased',
      data: { username, discriminator, accountId },
    })),
  )
}

/** The free discriminator from 1 that the roll selects, each equally likely. There must be one. */
function freeDiscriminator(held: readonly Held[], roll: number): number {
  let candidate = discriminatorMin + Math.floor(roll * (discriminatorMax - held.length))
  for (const [taken] of held) {
    if (taken > candidate) break
    candidate += 1
  }
  return candidate
}

function evolve(state: HandleState, { type, data }: HandleEvent): HandleState {
  const held = state.status === 'claimed' ? state.held : []
  switch (type) {
    case 'HandleClaimed':
      return { status: 'claimed', username: data.username, held: withHeld(held, [data.discriminator, data.accountId]) }
    case 'HandleReleased':
      return { status: 'claimed', username: data.username, held: without(held, data.discriminator) }
  }
}

function withHeld(held: readonly Held[], claimed: Held): readonly Held[] {
  const index = indexFor(held, claimed[0])
  return [...held.slice(0, index), claimed, ...without(held.slice(index), claimed[0])]
}

function without(held: readonly Held[], released: number): readonly Held[] {
  const index = indexFor(held, released)
  return held[index]?.[0] === released ? [...held.slice(0, index), ...held.slice(index + 1)] : held
}

/**
 * The index at which a discriminator is, or would be. A popular username has thousands, and its stream is folded at once, so this
 * searches by halves.
 */
function indexFor(held: readonly Held[], discriminator: number): number {
  let low = 0
  let high = held.length
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const [found] = held[middle] ?? [discriminator]
    if (found < discriminator) low = middle + 1
    else high = middle
  }
  return low
}
