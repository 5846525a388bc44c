import { isDeepStrictEqual } from 'node:util'
import { isSchema, type Operation } from '../operation.ts'

/**
 * Checks a handler's reply against the schema of its operation, in tests and development; every member has to be declared.
 * Throws if it does not fit. Production skips this to save time.
 */
export function checkReply({ name, success }: Operation, reply: unknown): void {
  if (!isSchema(success.schema)) return
  if (reply === undefined && 'orNothing' in success.schema) return
  const sent: unknown = JSON.parse(JSON.stringify(reply))
  const { data, error } = success.schema.safeParse(sent)
  if (error) throw new Error(`The reply of ${name} does not fit its schema: ${pathsOf(error.issues)}`)
  if (!isDeepStrictEqual(data, sent)) throw new Error(`The reply of ${name} has members that its schema lacks`)
}

function pathsOf(issues: readonly { readonly path: readonly PropertyKey[]; readonly code?: string }[]): string {
  return issues.map(({ path, code }) => `${path.map(String).join('.')} (${code ?? 'wrong'})`).join(', ')
}
