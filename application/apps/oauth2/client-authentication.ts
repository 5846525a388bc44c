import { applicationId, type ApplicationId } from '../../../domain/ids/ids.ts'
import { parseSnowflake } from '../../../domain/ids/snowflake.ts'
import type { Requester } from '../../caller.ts'
import type { Ports } from '../../ports.ts'
import type { ApplicationRecord } from '../../ports/queries/application-queries.ts'
import { isSecretOf } from '../../secrets/secret-hash.ts'
import { rejectOAuth2 } from './protocol-error.ts'

/** The client's credentials in a form. */
export interface ClientFields {
  readonly clientId: ApplicationId | null
  readonly clientSecret: string | null
}

type Needs = Pick<Ports, 'aggregates' | 'queries'>

/**
 * Authenticates the application that sends a request by its id and secret. Each is taken from the form, or from HTTP
 * Basic if the form lacks it. Refuses with invalid_client.
 */
export async function authenticateClient(
  { aggregates, queries }: Needs,
  { authorization }: Pick<Requester, 'authorization'>,
  form: ClientFields,
): Promise<ApplicationRecord> {
  const basic = basicFields(authorization)
  const id = form.clientId ?? basic.clientId
  const secret = form.clientSecret ?? basic.clientSecret
  if (id === null || secret === null) return rejectOAuth2('invalid_client', 'The client has to prove who it is.')
  const application = await queries.applications.find(id)
  if (application) {
    const { state } = await aggregates.application.load(id)
    if (state.status === 'created' && isSecretOf(secret, state.clientSecretHash)) return application
  }
  return rejectOAuth2('invalid_client', 'There is no such client, or this is not its secret.')
}

/** Whether a request authenticates its client by HTTP Basic. */
export function isBasic({ authorization }: Pick<Requester, 'authorization'>): boolean {
  return authorization !== null && scheme.test(authorization)
}

const scheme = /^basic(?: |$)/i
const nobody: ClientFields = { clientId: null, clientSecret: null }

/** Both halves are form-encoded (RFC 6749, 2.3.1). An unreadable header names no client. */
function basicFields(authorization: string | null): ClientFields {
  const token = /^basic +(?<token>[A-Za-z0-9+/]+={0,2})$/i.exec(authorization ?? '')?.groups?.['token']
  if (token === undefined) return nobody
  const text = Buffer.from(token, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  const id = parseSnowflake(formDecoded(text.slice(0, Math.max(0, colon))) ?? '')
  return id.ok ? { clientId: applicationId(id.id), clientSecret: formDecoded(text.slice(colon + 1)) } : nobody
}

function formDecoded(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' ')) || null
  } catch (error) {
    if (error instanceof URIError) return null
    throw error
  }
}
