import type { AccountId } from '../ids/ids.ts'
import { aggregate } from '../kernel/aggregate-definition.ts'
import { accept, refuse, type Decision } from '../kernel/decider.ts'
import type { DirectChannelCommand, OpenDirectChannel } from './commands.ts'
import { directChannelEvents, type DirectChannelEvent, type DirectChannelView } from './events.ts'
import type { DirectChannel, DirectChannelState } from './state.ts'

/** The direct message of two accounts. The pair names its stream, so they have one channel, however many try to open it. */
export const directChannel = aggregate({
  category: 'direct_channel',
  identifiedBy: 'the two account ids, the lower one first',
  guards: 'that two accounts share one channel, and for whom it is open (decision 30)',
  stateVersion: 1,
  events: directChannelEvents,
  initial: { status: 'absent' },
  decide,
  evolve,
})

function decide(state: DirectChannelState, command: DirectChannelCommand): Decision<DirectChannelEvent> {
  switch (command.type) {
    case 'OpenDirectChannel':
      return open(state, command)
    case 'ShowDirectChannel':
      return show(state, command.accounts)
    case 'HideDirectChannel':
      return hide(state, command.accountId)
  }
}

/** Opens it for the caller only. An existing channel stays the same one. */
function open(state: DirectChannelState, command: OpenDirectChannel): Decision<DirectChannelEvent> {
  if (state.status === 'opened') return show(state, [command.accountId])
  const { channelId, accountId, otherId, now } = command
  return accept({ type: 'DirectChannelOpened', data: { channelId, accountId, otherId, openedAt: now } })
}

function show(state: DirectChannelState, accounts: readonly AccountId[]): Decision<DirectChannelEvent> {
  if (state.status === 'absent' || accounts.some((id) => !state.accounts.includes(id))) return refuse('UNKNOWN_CHANNEL')
  const missing = [...new Set(accounts)].filter((id) => !state.openFor.includes(id))
  return accept(...missing.map((id) => ({ type: 'DirectChannelShown', data: viewOf(state, id) }) as const))
}

function hide(state: DirectChannelState, accountId: AccountId): Decision<DirectChannelEvent> {
  if (state.status === 'absent' || !state.accounts.includes(accountId)) return refuse('UNKNOWN_CHANNEL')
  if (!state.openFor.includes(accountId)) return accept()
  return accept({ type: 'DirectChannelHidden', data: viewOf(state, accountId) })
}

function viewOf({ channelId, accounts: [one, two] }: DirectChannel, accountId: AccountId): DirectChannelView {
  return { channelId, accountId, otherId: accountId === one ? two : one }
}

function evolve(state: DirectChannelState, event: DirectChannelEvent): DirectChannelState {
  const { channelId, accountId, otherId } = event.data
  switch (event.type) {
    case 'DirectChannelOpened':
      return { status: 'opened', channelId, accounts: [accountId, otherId], openFor: [accountId] }
    case 'DirectChannelShown':
      if (state.status === 'absent') return state
      return { ...state, openFor: [...state.openFor.filter((id) => id !== accountId), accountId] }
    case 'DirectChannelHidden':
      if (state.status === 'absent') return state
      return { ...state, openFor: state.openFor.filter((id) => id !== accountId) }
  }
}
