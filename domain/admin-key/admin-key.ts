import { underVersion } from '../delegations/delegation-version.ts'
import { aggregate } from '../kernel/aggregate-definition.ts'
import { accept, refuse, type Decision } from '../kernel/decider.ts'
import type { AdminKeyCommand, ChangeAdminKey, CreateAdminKey } from './commands.ts'
import { adminKeyEvents, type AdminKeyChanges, type AdminKeyEvent } from './events.ts'
import { isExpired, type AdminKey, type AdminKeyState } from './state.ts'

/**
 * A key that acts for the account that made it, only below /v1/admin and within its own ACLs
 * (rules/administration#admin-keys).
 */
export const adminKey = aggregate({
  category: 'admin_key',
  identifiedBy: 'the id of the key',
  guards: 'name, ACLs, expiry and deletion of an Admin key',
  stateVersion: 2,
  events: adminKeyEvents,
  initial: { status: 'absent' },
  decide,
  evolve,
})

function decide(state: AdminKeyState, command: AdminKeyCommand): Decision<AdminKeyEvent> {
  if (command.type === 'CreateAdminKey') return create(state, command)
  if (state.status !== 'issued' || isExpired(state, command.now)) return refuse('ADMIN_API_KEY_NOT_FOUND')
  switch (command.type) {
    case 'ChangeAdminKey':
      return change(state, command)
    case 'DeleteAdminKey':
      return accept({ type: 'AdminKeyDeleted', data: { keyId: state.keyId, accountId: state.accountId } })
  }
}

/** A taken id makes no second key. */
function create(state: AdminKeyState, command: CreateAdminKey): Decision<AdminKeyEvent> {
  if (state.status !== 'absent') return accept()
  const { type: _, now, delegationVersion: __, ...key } = command
  const data = { ...key, acls: each(key.acls), createdAt: now, ...underVersion(command) }
  return accept({ type: 'AdminKeyCreated', data })
}

/** Records the members that change. */
function change(state: AdminKey, { changes }: ChangeAdminKey): Decision<AdminKeyEvent> {
  const { name } = changes
  const acls = changes.acls && each(changes.acls)
  const news: AdminKeyChanges = {
    ...(name === undefined || name === state.name ? {} : { name }),
    ...(acls === undefined || isSame(acls, state.acls) ? {} : { acls }),
  }
  if (Object.keys(news).length === 0) return accept()
  return accept({
    type: 'AdminKeyChanged',
    data: { keyId: state.keyId, accountId: state.accountId, changes: news },
  })
}

const each = (acls: readonly string[]): readonly string[] => [...new Set(acls)]

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((acl, index) => acl === others[index])

function evolve(state: AdminKeyState, { type, data }: AdminKeyEvent): AdminKeyState {
  switch (type) {
    case 'AdminKeyCreated': {
      const { keyId, accountId, name, acls, expiresAt, delegationVersion = 0 } = data
      return { status: 'issued', keyId, accountId, name, acls, expiresAt, delegationVersion }
    }
    case 'AdminKeyChanged':
      return state.status === 'issued' ? { ...state, ...data.changes } : state
    case 'AdminKeyDeleted':
      return { status: 'deleted' }
  }
}
