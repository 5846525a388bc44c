import type { AccountCallers, AdminCallers } from '../../adapters/http/callers.ts'
import type { Bucket } from '../../adapters/http/bucket.ts'
import { globalRate, highGlobalRate } from '../../adapters/http/limits/request-limits.ts'
import { tagOf } from '../../adapters/http/openapi/document.ts'
import { withDocuments } from '../../adapters/http/openapi/document-operation.ts'
import { actionsOf } from '../../adapters/http/admin-audit-rule.ts'
import { type Operation } from '../../adapters/http/operation.ts'
import { allOperations } from '../../adapters/http/operations/all-operations.ts'
import { consoleOperations } from '../../adapters/http/operations/apps/console.ts'
import type { Rate } from '../../application/ports/allowances.ts'
import { adminAcls } from '../../domain/admin/acls.ts'
import { asksForAclsOfAccount } from '../../domain/admin/acts-on-accounts.ts'
import { productVersion } from '../../process/product-version.ts'
import { code, codes, page, table } from './markdown.ts'

// Pages of docs/reference that follow from the declarations of the operations.

const operations = withDocuments(allOperations, productVersion)
const byName = operations.toSorted((one, other) => one.name.localeCompare(other.name, 'en'))

/** Every operation, under what its path begins with: its route, who may call it, and its bucket. */
export function operationsPage(): string {
  const forAdmins = operations.filter(({ callers }) => callers.kind === 'admin')
  const others = operations.filter(({ callers }) => callers.kind !== 'admin')
  const tags = [...new Set(others.map(tagOf))]
  return page(
    '# Operations',
    'What the HTTP API can do. The [buckets](buckets.md) limit how often; the [ACLs](acls.md) say what an administrator may do.',
    ...tags.flatMap((tag) => [`## ${tag}`, operationTable(others.filter((each) => tagOf(each) === tag))]),
    '## administration',
    operationTable(forAdmins),
  )
}

/** Every ACL with the operations that ask for it, and every action of the admin audit log with those that it stands for. */
export function aclsPage(): string {
  return page(
    '# ACLs and the admin audit log',
    '## ACLs',
    'Every operation of administrators asks for `admin:authenticate`, and `*` counts as every ACL. An ACL without an operation is for one to come, or decides what an answer shows.',
    table(
      ['ACL', 'Operations'],
      adminAcls.map((acl) => [code(acl), names(byName.filter(({ callers }) => asksFor(callers, acl)))]),
    ),
    '## Admin audit log',
    'What the log records of a request that succeeded.',
    table(
      ['Action', 'Done to', 'Operations'],
      auditedActions().map(({ action, targets, recorded }) => [code(action), codes(targets), recorded]),
    ),
  )
}

/** Every bucket: how many requests it holds, in how many seconds it empties, whose requests it counts, and for what. */
export function bucketsPage(): string {
  const limited = [...byName, ...consoleOperations]
  const buckets = new Map(limited.map(({ bucket }) => [bucket.name, bucket]))
  return page(
    '# Buckets',
    'Each operation counts in one bucket. A caller is an account and its kind of credential, or an address where there is no account.',
    `All operations together count too: ${perSecond(globalRate)} for each caller, ${perSecond(highGlobalRate)} with the flag \`HIGH_GLOBAL_RATE_LIMIT\`. An account with \`RATE_LIMIT_BYPASS\` has no limits.`,
    table(
      ['Bucket', 'Requests', 'Seconds', 'Counts', 'Operations'],
      [...buckets.values()]
        .toSorted((one, other) => one.name.localeCompare(other.name, 'en'))
        .map((bucket) => [
          code(bucket.name),
          String(bucket.requests),
          String(bucket.seconds),
          countedOf(bucket),
          names(limited.filter((each) => each.bucket.name === bucket.name)),
        ]),
    ),
  )
}

function operationTable(listed: readonly Operation[]): string {
  return table(
    ['Operation', 'Route', 'Who may', 'Bucket'],
    listed.map((each) => [each.name, code(`${each.method} ${each.path}`), whoMay(each), code(each.bucket.name)]),
  )
}

/** Who may call an operation, and what else it asks of them. */
function whoMay({ name, callers, sudo, needsThreads, signIn, local }: Operation): string {
  return [
    callersOf(callers),
    ...(asksForAclsOfAccount(name) ? ['with every ACL of an account that it takes something from'] : []),
    ...('none' in sudo ? [] : [sudo.sudo === 'always' ? 'in sudo mode' : 'in sudo mode for some requests']),
    ...(needsThreads ? ['with thread access'] : []),
    ...(signIn === undefined ? [] : [`where people sign in by ${signIn}`]),
    ...(local ? ['unless single sign-on is enforced'] : []),
  ].join('; ')
}

function callersOf(callers: Operation['callers']): string {
  switch (callers.kind) {
    case 'public':
      return 'everybody'
    case 'account':
      return callersWithAccount(callers)
    case 'bot':
      return 'bots'
    case 'bearer':
      return callers.scope === null ? 'applications' : `applications with ${code(callers.scope)}`
    case 'admin':
      return administratorsOf(callers)
  }
}

function callersWithAccount({ bots, scope, console }: AccountCallers): string {
  return [
    'people',
    ...(bots === true ? ['bots'] : []),
    ...(scope === null ? [] : [`applications with ${code(scope)}`]),
    ...(console ? ['the console'] : []),
  ].join(', ')
}

function administratorsOf({ acls, anyOf, onceValidated, duringSetup }: AdminCallers): string {
  const asked = [
    ...acls.map(code),
    ...(anyOf.length === 0 ? [] : [`one of ${codes(anyOf)}`]),
    ...(onceValidated.length === 0 ? [] : [`the one of ${codes(onceValidated)} that the body asks for`]),
  ]
  return [
    `administrators with ${asked.join(' and ')}`,
    ...(duringSetup ? ['or anybody with an account until the instance is set up'] : []),
  ].join(' ')
}

function asksFor(callers: Operation['callers'], acl: (typeof adminAcls)[number]): boolean {
  if (callers.kind !== 'admin') return false
  return [callers.acls, callers.anyOf, callers.onceValidated].some((acls) => acls.includes(acl))
}

interface AuditedAction {
  readonly action: string
  readonly targets: readonly string[]
  /** The names of the operations. */
  readonly recorded: string
}

/** By action. */
function auditedActions(): readonly AuditedAction[] {
  const rows = byName.flatMap((operation) => {
    const { adminAudit } = operation
    if ('none' in adminAudit) return []
    const { also, target } = adminAudit
    return actionsOf(adminAudit).map((action) => ({
      action,
      target: action === also?.action ? also.target : target,
      operation,
    }))
  })
  return [...new Set(rows.map(({ action }) => action))].toSorted().map((action) => {
    const those = rows.filter((row) => row.action === action)
    const targets = [...new Set(those.map(({ target }) => target))]
    return { action, targets, recorded: names(those.map(({ operation }) => operation)) }
  })
}

const perSecond = ({ requests, seconds }: Rate): string => `${requests} requests in ${seconds} s`

function countedOf({ parameter }: Bucket): string {
  return parameter === null ? 'each caller' : `each caller and ${code(parameter)}`
}

const names = (listed: readonly Operation[]): string => listed.map(({ name }) => name).join(', ') || 'none yet'
