import { codesOfSignIn } from '../../application/administration/instance/sign-in-style.ts'
import { errorCodes, type ErrorCode } from '../../domain/kernel/error-codes.ts'
import type { Callers } from './callers.ts'
import { isSchema, type Operation } from './operation.ts'
import { filteredMembers } from './schemas/filtered-text.ts'

/** The codes that every operation can give, whatever the request. */
const always: readonly ErrorCode[] = [
  'RATE_LIMITED',
  'GLOBAL_IP_BANNED',
  'GLOBAL_IP_TEMPORARILY_BANNED',
  'SERVICE_UNAVAILABLE',
  'INTERNAL_SERVER_ERROR',
]

/**
 * Every code that an operation can answer with: those that follow from its declaration, and those of its use case (`refuses`).
 * Each code occurs once.
 */
export function codesOf(operation: Operation): ReadonlySet<ErrorCode> {
  return new Set([
    ...always,
    ...codesOfCallers(operation.callers),
    ...(operation.needsThreads || operation.hostedOnly ? (['NOT_FOUND'] as const) : []),
    ...(operation.signIn ? [codesOfSignIn[operation.signIn]] : []),
    ...(operation.local ? (['SSO_REQUIRED'] as const) : []),
    ...codesOfInput(operation),
    ...codesOfSudo(operation),
    ...operation.refuses,
  ])
}

/** The same codes by their status, lowest status first. */
export function codesByStatus(operation: Operation): ReadonlyMap<number, readonly ErrorCode[]> {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of [...codesOf(operation)].toSorted()) {
    const status = errorCodes[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return new Map([...byStatus].toSorted(([one], [other]) => one - other))
}

/** As `requireAllowedCaller` refuses. */
function codesOfCallers(callers: Callers): readonly ErrorCode[] {
  switch (callers.kind) {
    case 'public':
      return []
    case 'account':
      return ['UNAUTHORIZED', callers.scope === null ? 'ACCESS_DENIED' : 'MISSING_OAUTH_SCOPE', ...deniedBot(callers)]
    case 'bot':
      return callers.otherwise ? [callers.otherwise] : ['UNAUTHORIZED', 'ACCESS_DENIED']
    case 'bearer':
      return ['UNAUTHORIZED', ...(callers.scope === null ? [] : (['MISSING_OAUTH_SCOPE'] as const))]
    case 'admin':
      return [
        'UNAUTHORIZED',
        'ACCESS_DENIED',
        'MISSING_PERMISSIONS',
        ...lackedAcl(callers.acls, callers.anyOf, callers.onceValidated),
      ]
  }
}

function deniedBot({ bots }: Extract<Callers, { kind: 'account' }>): readonly ErrorCode[] {
  return bots === false ? ['ACCESS_DENIED'] : []
}

function lackedAcl(...acls: readonly (readonly string[])[]): readonly ErrorCode[] {
  return acls.some(({ length }) => length > 0) ? ['MISSING_ACL'] : []
}

/** The codes of reading a request and of the content filter. Every body is read, except that of a GET. */
function codesOfInput({
  method,
  callers,
  params,
  query,
  body,
  keepsNoText,
  fromStore,
}: Operation): readonly ErrorCode[] {
  // Its use case refuses the body.
  if (fromStore) return []
  const hasBody = method !== 'GET'
  const isRead = hasBody || isSchema(params) || isSchema(query)
  const hasText = hasBody && method !== 'DELETE' && !keepsNoText && isSchema(body)
  const isFiltered = hasText && (callers.kind !== 'admin' || filteredMembers(body).length > 0)
  return [
    ...(isRead ? (['INVALID_FORM_BODY'] as const) : []),
    ...(hasBody ? (['BAD_REQUEST'] as const) : []),
    // An Idempotency-Key that was used with another request.
    ...(method === 'POST' ? (['CONFLICT'] as const) : []),
    ...(isFiltered ? (['CONTENT_BLOCKED'] as const) : []),
  ]
}

function codesOfSudo({ sudo }: Operation): readonly ErrorCode[] {
  if ('none' in sudo) return []
  const rejectedAs = sudo.sudo === 'always' ? sudo.rejectedAs : undefined
  return ['SUDO_MODE_REQUIRED', ...(rejectedAs ? [rejectedAs] : [])]
}
