import type { Credential } from '../../../application/caller.ts'
import type { CommandOrigin } from '../../../application/ports/command-origins.ts'
import type { AdminAction } from '../../../application/ports/event-store.ts'
import type { AdminCredential } from '../../../domain/admin-audit/events.ts'
import { entryId } from '../../../domain/ids/ids.ts'
import type { Authenticated } from '../authentication/credential.ts'
import { actionOf } from '../admin-audit-rule.ts'
import { type Operation } from '../operation.ts'
import type { Input } from '../request/input/input.ts'

/** The parts of a checked request that the audit log uses. */
interface AuditedRequest {
  readonly operation: Pick<Operation, 'adminAudit'>
  readonly authenticated: Authenticated | undefined
  readonly input: Pick<Input, 'params' | 'query' | 'body'>
}

/**
 * The admin audit log entry that the events of a request carry, so that the log gets it even if the process dies between the
 * act and its entry. Undefined if nothing is recorded.
 */
export function adminActionOf(
  { operation, authenticated, input }: AuditedRequest,
  origin: CommandOrigin,
): AdminAction | undefined {
  const { adminAudit } = operation
  if ('none' in adminAudit || !authenticated) return undefined
  const action = actionOf(adminAudit, input)
  if (action === null) return undefined
  return {
    entryId: entryId(origin.newId()),
    commandId: origin.commandId,
    adminId: authenticated.account.id,
    credential: adminCredentialOf(authenticated.credential),
    action,
    target: namedIn(input.params),
  }
}

/** A bot is no administrator: it is refused before. */
export function adminCredentialOf({ kind }: Credential): AdminCredential {
  if (kind === 'bot') throw new Error('a bot has come to an operation for administrators')
  return kind
}

/**
 * The first id in the path: a user for `user_id`. Targets that only the answer names are not known yet. A value that is not an
 * id may be personal, such as an address.
 */
function namedIn(params: unknown): AdminAction['target'] {
  const [first] = Object.entries(params ?? {}).filter(
    ([, value]) => typeof value === 'string' && /^\d{1,19}$/.test(value),
  )
  const [name, id]: readonly unknown[] = first ?? []
  return typeof name === 'string' && typeof id === 'string'
    ? { type: name.replace(/_id$/, ''), id }
    : { type: 'unknown', id: '0' }
}
