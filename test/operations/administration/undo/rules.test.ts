import { describe, expect, it } from 'vitest'
import { actionsOf } from '../../../../adapters/http/admin-audit-rule.ts'
import { allOperations } from '../../../../adapters/http/operations/all-operations.ts'
import { bulkRules } from '../../../../application/administration/bulk/bulk-tasks.ts'
import { undoRules } from '../../../../application/administration/undo/undo-rules.ts'
import { accessOf } from '../../../../domain/admin-audit/access-of.ts'
import { eventCatalogs } from '../../../../domain/aggregates.ts'

const changing = allOperations.filter(({ callers, method }) => callers.kind === 'admin' && method !== 'GET')

/** The event of each operation that changes something and leaves no entry. */
const withoutEntry: Readonly<Record<string, string>> = {
  'Create registration URL': 'RegistrationUrlCreated',
  'Revoke registration URL': 'RegistrationUrlRevoked',
  'Set branding asset': 'InstancePolicyChanged',
  'Update instance configuration': 'InstancePolicyChanged',
  'Update limit configuration': 'LimitConfigChanged',
}

/** What bulk jobs record of each item, and of themselves at their end. */
const ofBulkJobs: readonly string[] = [...Object.values(bulkRules).map(({ summary }) => summary), 'update_features']

/** What commands alone record: `test/cli/operator-audit.test.ts` holds each of them to a rule. */
const ofCommands: readonly string[] = [
  'create_registration_url',
  'erase_account',
  'prove_erasure',
  'reconcile_stores',
  'replay_store_notification',
  'restore_discovery_listing',
  'revoke_registration_url',
  'seed_guild',
  'set_premium',
  'update_instance_config',
]

const actions = new Set(
  changing
    .flatMap(({ adminAudit }) => ('none' in adminAudit ? [] : actionsOf(adminAudit)))
    .filter((action) => accessOf(action) === 'write'),
)

describe('the rules of undoing', () => {
  it('say of each act of administrators and commands what takes it back, or why nothing does', () => {
    expect(Object.keys(undoRules).toSorted()).toStrictEqual(
      [...new Set([...actions, ...ofBulkJobs, ...ofCommands, ...Object.values(withoutEntry)])].toSorted(),
    )
  })

  it('know each operation that changes something and leaves no entry, by its event', () => {
    const names = changing.filter(({ adminAudit }) => 'none' in adminAudit).map(({ name }) => name)
    expect(names.toSorted()).toStrictEqual(Object.keys(withoutEntry))
    const types = new Set(Object.values(eventCatalogs).flatMap(({ events }) => Object.keys(events)))
    for (const type of Object.values(withoutEntry)) expect(types).toContain(type)
  })

  it('are sentences, each about its own act', () => {
    for (const rule of Object.values(undoRules))
      expect('never' in rule ? rule.never : rule.says).toMatch(/^[A-Z].{10,}\.$/)
  })
})
