import { refreshToken_s } from '../../../application/apps/oauth2/token-lifetimes.ts'
import { reject } from '../../../application/commands/refused.ts'
import type { Instance } from '../../../application/ports.ts'
import { emptyAnswer, jsonAnswer, textOf, withHeaders, type Answer, type Headers } from '../answer.ts'
import { basePath } from '../pages/page.ts'
import { refusalsAnswered, withoutHeaders } from '../pages/run-operation.ts'
import type { Exchange, Work } from '../request/exchange.ts'
import { requireOwnSite } from '../request/own-site.ts'
import { tokenObject } from '../schemas/apps/replies.ts'

const cookieName = 'guildhall_console'

type SessionWorks = Readonly<Record<'begin' | 'refresh' | 'end', Work<Answer>>>

/**
 * The sign-in of the console in a browser. Its access token is in the answers, for the console's script; its refresh token is in a
 * cookie that no script reads and no other site makes a browser send. `run` has the operations.
 */
export function consoleSession(instance: Pick<Instance, 'publicUrl'>, run: SessionWorks): SessionWorks {
  const withKept = (exchange: Exchange): Exchange => {
    const token = cookieIn(exchange)
    if (token !== undefined) exchange.received.push(token)
    return { ...withoutHeaders(exchange), body: { refresh_token: token ?? null } }
  }
  const cleared = (): Headers => cookie(instance, '', 0)
  return {
    async begin(exchange) {
      requireOwnSite(exchange)
      requireScript(exchange)
      return signedIn(instance, await run.begin(withoutHeaders(exchange)))
    },
    async refresh(exchange) {
      requireOwnSite(exchange)
      const answer = await refusalsAnswered(run.refresh(withKept(exchange)), exchange)
      if (answer.status !== 401) return signedIn(instance, answer)
      return { ...answer, headers: withHeaders(answer.headers, cleared()) }
    },
    async end(exchange) {
      requireOwnSite(exchange)
      const answer = await run.end(withKept(exchange))
      return answer.status < 400 ? emptyAnswer(204, withHeaders(answer.headers, cleared())) : answer
    },
  }
}

/**
 * Refuses with INVALID_API_ORIGIN what a form may have sent, whose page can be of another site: it would sign somebody in as whoever
 * made it. No form sends JSON, and no script of another site may.
 */
function requireScript({ raw }: Exchange): void {
  if (raw.headers['content-type']?.startsWith('application/json') !== true) reject('INVALID_API_ORIGIN')
}

/** Moves the refresh token from the answer into the cookie. */
function signedIn(instance: Pick<Instance, 'publicUrl'>, answer: Answer): Answer {
  if (answer.status >= 400) return answer
  const { access_token, token_type, expires_in, refresh_token } = tokenObject.parse(JSON.parse(textOf(answer) ?? ''))
  const headers = withHeaders(answer.headers, cookie(instance, refresh_token, refreshToken_s))
  return jsonAnswer(200, { access_token, token_type, expires_in }, headers)
}

function cookie({ publicUrl }: Pick<Instance, 'publicUrl'>, value: string, age_s: number): Headers {
  const secure = publicUrl.startsWith('https:') ? ['Secure'] : []
  const parts = [
    `${cookieName}=${value}`,
    `Path=${basePath({ publicUrl })}/console`,
    `Max-Age=${age_s}`,
    'HttpOnly',
    'SameSite=Strict',
    ...secure,
  ]
  return { 'set-cookie': parts.join('; ') }
}

const kept = new RegExp(`(?:^|;) *${cookieName}=(?<token>[A-Za-z0-9_-]{43}) *(?:;|$)`)

/** The refresh token that a browser has kept; undefined for what cannot be one. */
function cookieIn({ raw }: Exchange): string | undefined {
  return kept.exec(raw.headers.cookie ?? '')?.groups?.['token']
}
