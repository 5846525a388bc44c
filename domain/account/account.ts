import { accept, refuse, type Decider, type Decision } from '../kernel/decider.js'
import type { AccountCommand, EndSession, GrantAcls, RegisterAccount, StartSession } from './commands.js'
import type { AccountEvent, AccountRegistered } from './events.js'
import type { Account, AccountState } from './state.js'

/** A person or a bot: identity, credentials, live sessions and what it may do on the instance. */
export const account: Decider<AccountState, AccountCommand, AccountEvent> = {
  category: 'account',
  initial: { status: 'absent' },
  decide,
  evolve,
}

function decide(state: AccountState, command: AccountCommand): Decision<AccountEvent> {
  switch (command.type) {
    case 'RegisterAccount':
      return register(state, command)
    case 'StartSession':
      return startSession(state, command)
    case 'EndSession':
      return endSession(state, command)
    case 'GrantAcls':
      return grantAcls(state, command)
  }
}

/** Registering the same account again changes nothing; an id that another registration took is CONFLICT. */
function register(state: AccountState, command: RegisterAccount): Decision<AccountEvent> {
  const { accountId, username, discriminator, globalName, email, passwordHash, dateOfBirth, now } = command
  if (state.status === 'registered') {
    return state.id === accountId && state.registeredAt === now ? accept() : refuse('CONFLICT')
  }
  const { emailVerified, locale } = command
  const name = { username, discriminator, globalName }
  const personal = { email, passwordHash, dateOfBirth }
  return accept({
    type: 'AccountRegistered',
    data: { accountId, ...name, ...personal, emailVerified, locale, registeredAt: now },
  })
}

function startSession(state: AccountState, command: StartSession): Decision<AccountEvent> {
  if (state.status === 'absent') return refuse('UNKNOWN_USER')
  const { tokenHash, ip, userAgent, now } = command
  if (state.sessions.includes(tokenHash)) return accept()
  return accept({ type: 'SessionStarted', data: { accountId: state.id, tokenHash, startedAt: now, ip, userAgent } })
}

function endSession(state: AccountState, { tokenHash }: EndSession): Decision<AccountEvent> {
  if (state.status === 'absent' || !state.sessions.includes(tokenHash)) return accept()
  return accept({ type: 'SessionEnded', data: { accountId: state.id, tokenHash } })
}

/** Adds to the ACLs that the account holds; the event names all that it holds then, sorted, each once. */
function grantAcls(state: AccountState, command: GrantAcls): Decision<AccountEvent> {
  if (state.status === 'absent') return refuse('UNKNOWN_USER')
  const acls = [...new Set([...state.acls, ...command.acls])].toSorted()
  if (acls.length === state.acls.length) return accept()
  return accept({ type: 'AclsGranted', data: { accountId: state.id, acls } })
}

function evolve(state: AccountState, event: AccountEvent): AccountState {
  switch (event.type) {
    case 'AccountRegistered':
      return { status: 'registered', ...registered(event.data) }
    case 'SessionStarted':
      return whileRegistered(state, (record) => ({
        ...record,
        sessions: [...without(record.sessions, event.data.tokenHash), event.data.tokenHash],
      }))
    case 'SessionEnded':
      return whileRegistered(state, (record) => ({
        ...record,
        sessions: without(record.sessions, event.data.tokenHash),
      }))
    case 'AclsGranted':
      return whileRegistered(state, (record) => ({ ...record, acls: event.data.acls }))
  }
}

function registered({ accountId, ...identity }: AccountRegistered): Account {
  return { id: accountId, ...identity, acls: [], sessions: [] }
}

function whileRegistered(state: AccountState, next: (record: Account) => Account): AccountState {
  return state.status === 'registered' ? { status: 'registered', ...next(state) } : state
}

function without(sessions: readonly string[], tokenHash: string): readonly string[] {
  return sessions.filter((session) => session !== tokenHash)
}
