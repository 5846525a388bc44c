import { instanceConfigObject } from '../../application/wire-objects/administration/instance-config-object.ts'
import type { InstancePolicies } from '../../application/ports/instance-policy.ts'
import { Refused } from '../../application/commands/refused.ts'
import { openAggregates } from '../../process/aggregates.ts'
import { instanceConfigMeanings, instancePolicyIn, parseInstanceConfig } from '../instance-config.ts'
import { actAsOperator, noTargetId } from '../operator/act-as-operator.ts'
import { servedSettings } from '../../process/settings/served-settings.ts'
import { instancePoliciesOver } from '../../process/instance-policies.ts'
import type { Store } from '../../process/store.ts'
import { besideServer } from './beside.ts'
import { changeBesideServer } from './change-beside.ts'
import { printedMembers } from './printed-members.ts'

/** Prints the instance's effective configuration, one member on each line. */
export async function showInstance(print: (line: string) => void): Promise<void> {
  await besideServer(async (store) => {
    for (const line of await membersOf(await policiesOf(store), store)) print(line)
  })
}

/**
 * Prints the members that can be changed, each with its value and its meaning: all of them, one, or those of a section. Rejects
 * if there is none of that name.
 */
export async function getInstance(key: string | undefined, print: (line: string) => void): Promise<void> {
  const all = [...instanceConfigMeanings()]
  const wanted = all.filter(([path]) => key === undefined || path === key || path.startsWith(`${key}.`))
  if (wanted.length === 0)
    throw new Error(`${key} is no member of the configuration. The members are: ${all.map(([path]) => path).join(' ')}`)
  await besideServer(async (store) => {
    const values = new Map((await membersOf(await policiesOf(store), store)).map((line) => [memberIn(line), line]))
    for (const [path, meaning] of wanted) {
      // Secrets, and what is only used once.
      print(values.get(path) ?? `${path} is not shown`)
      print(`  ${meaning}`)
    }
  })
}

/**
 * Changes members of the instance's configuration, each given as `sso.enabled=true`. A value is read as JSON if it is valid
 * JSON, otherwise as text. A running server applies the change once this resolves.
 */
export async function setInstance(assignments: readonly string[], print: (line: string) => void): Promise<void> {
  const changes = parseInstanceConfig(patchOf(assignments))
  await changeBesideServer({ print, isCopied: true }, async (store) => {
    const policies = await policiesOf(store)
    await actAsOperator(store, {
      action: 'update_instance_config',
      target: { type: 'instance', id: noTargetId },
      run: (context) => policies.change(changes, context),
      // Without values: some are secrets, and history has the others.
      metadata: () => ({ members: assignments.map(memberIn).join(',') }),
    }).catch((error: unknown) => {
      if (error instanceof Refused && error.refusal.code === 'INSTANCE_POLICY_TRANSITION_NOT_ALLOWED')
        throw new Error('account_identity: cannot be changed any more, because accounts are registered already')
      throw error
    })
    for (const line of await membersOf(policies, store)) print(line)
  })
}

/** The policy of an instance, for a command beside its server. */
export async function policiesOf(opened: Store): Promise<InstancePolicies> {
  const { events: store, snapshots, personalDataKey } = opened
  const settings = instancePolicyIn(await servedSettings(opened))
  const aggregates = openAggregates({ store, snapshots })
  return instancePoliciesOver(aggregates, settings, personalDataKey)
}

async function membersOf(
  policies: InstancePolicies,
  store: Pick<Store, 'database' | 'personalDataKey'>,
): Promise<readonly string[]> {
  const served = await servedSettings(store)
  const { policy, identityIsFixed } = await policies.standing()
  const facts = { identityIsFixed, ...served }
  const config = instanceConfigObject(policy, { ...facts, registrations: { urls: [], pending: [] } })
  // Other commands list pending registrations and URLs: this one works before there are any read models.
  const { urls: _, pending_registrations: __, ...registration } = config.registration
  return printedMembers({ ...config, registration })
}

const memberIn = (assignment: string): string => assignment.slice(0, assignment.indexOf('='))

function patchOf(assignments: readonly string[]): unknown {
  const patch: Record<string, unknown> = Object.create(null)
  for (const assignment of assignments) {
    const [path = '', ...rest] = assignment.split('=')
    if (rest.length === 0) throw new Error(`${assignment} has no value: write it as in registration.mode=closed`)
    put(patch, path.split('.'), read(rest.join('=')))
  }
  return patch
}

function put(target: Record<string, unknown>, [name = '', ...deeper]: readonly string[], value: unknown): void {
  if (deeper.length === 0) {
    target[name] = value
    return
  }
  const known = target[name]
  const section: Record<string, unknown> =
    typeof known === 'object' && known !== null ? { ...known } : Object.create(null)
  put(section, deeper, value)
  target[name] = section
}

function read(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}
