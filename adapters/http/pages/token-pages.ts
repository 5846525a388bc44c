import { passwordLength } from '../../../domain/account/password.ts'
import type { Answer } from '../answer.ts'
import { html, nothing, type Html } from './html.ts'
import { fieldOf, formOf, pageAnswer, problem, sayAnswer, type Page, type PageRequest } from './page.ts'
import { textIn, type Outcome } from './run-operation.ts'
import type { PageTexts } from './texts/page-texts.ts'

interface TokenPage {
  readonly path: `/${string}`
  readonly operation: string
  readonly texts: (texts: PageTexts) => PageTexts['verify']
  /** Whether a new password is chosen. */
  readonly asksPassword: boolean
}

const tokenPages: readonly TokenPage[] = [
  { path: '/verify', operation: 'Verify e-mail address', texts: ({ verify }) => verify, asksPassword: false },
  { path: '/reset', operation: 'Reset password', texts: ({ reset }) => reset, asksPassword: true },
  { path: '/wasntme', operation: 'Revert e-mail address', texts: ({ wasntme }) => wasntme, asksPassword: true },
  {
    path: '/authorize-ip',
    operation: 'Authorise IP address',
    texts: ({ authorizeIp }) => authorizeIp,
    asksPassword: false,
  },
]

/** The pages of mailed links, whose token is in the URL's fragment. */
export const pagesOfTokens: readonly Page[] = tokenPages.map((page) => ({
  path: page.path,
  show: async (request) => asked(request, page),
  send: async (request) => {
    const token = fromLink(request.form['token'] ?? '', 'token')
    const password = page.asksPassword ? { password: request.form['password'] ?? '' } : {}
    const outcome = await request.run(page.operation, { body: { token, ...password } })
    if (!outcome.ok) return asked(request, page, { outcome, token })
    await endSession(request, outcome)
    const { title, done } = page.texts(request.texts)
    return sayAnswer(request, title, done)
  },
}))

function asked(
  request: PageRequest,
  page: TokenPage,
  tried?: { readonly outcome: Outcome; readonly token: string },
): Answer {
  const { texts } = request
  const { title, intro, button } = page.texts(texts)
  const password = page.asksPassword ? newPasswordField(texts) : nothing
  const body = html`${problem(tried?.outcome)}
    <p>${intro}</p>
    ${formOf(request, [linkField(texts.link, 'token', tried?.token ?? ''), password], button)}`
  return pageAnswer(request, { status: tried?.outcome.status ?? 200, title, body })
}

/** A field for what the URL's fragment holds. Without scripts, people paste the link from their mail. */
export function linkField(label: string, name: string, value: string, more = nothing): Html {
  const attributes = html`name="${name}" data-fragment="${name}" value="${value}" autocomplete="off" spellcheck="false"`
  return fieldOf(label, html`${attributes}${more}`)
}

/** Without bounds of length, which browsers count in UTF-16 units as typed: they would cut off what the server accepts. */
export function newPasswordField(texts: PageTexts): Html {
  const attributes = html`type="password" name="password" required autocomplete="new-password"`
  return fieldOf(texts.newPassword(passwordLength.min), attributes)
}

/** The value in a pasted link, or the value itself. */
export function fromLink(text: string, name: string): string {
  const [, fragment] = text.trim().split('#')
  return (fragment === undefined ? null : new URLSearchParams(fragment).get(name)) ?? text.trim()
}

/** Ends the session that an operation began: nobody uses it, since the page keeps no token. */
export async function endSession(request: PageRequest, { value }: Outcome): Promise<void> {
  const token = textIn(value, 'token')
  if (token !== undefined) await request.run('Log out', { token })
}
