import type { Answer } from '../answer.ts'
import { html } from './html.ts'
import { goOnWith, isNextPage } from './next-page.ts'
import { formOf, goAnswer, hiddenFields, pageAnswer, problem, sayAnswer, type Page, type PageRequest } from './page.ts'
import { objectIn, textIn, type Outcome } from './run-operation.ts'

/** Sends somebody to the provider of single sign-on, and back to a path of this server afterwards. */
export async function startSignOn(request: PageRequest, redirectTo: string): Promise<Answer> {
  const outcome = await request.run('Start single sign-on', { body: { redirect_to: redirectTo } })
  const url = textIn(outcome.value, 'authorization_url')
  return url === undefined ? refused(request, outcome) : goAnswer(request, url)
}

/**
 * Where the provider of single sign-on sends people back to. The sign-on is completed only by the form, so that nothing that
 * opens the URL beforehand uses up its code.
 */
export const signOnPage: Page = {
  path: '/auth/sso/callback',
  show: async (request) => {
    const { texts, query } = request
    const { code, state, error } = query
    if (code === undefined || state === undefined)
      return sayAnswer(request, texts.failed, query['error_description'] ?? error ?? texts.failed, 400)
    const form = formOf(request, hiddenFields({ code, state }), texts.signOn.button)
    return pageAnswer(request, {
      title: texts.signOn.title,
      body: html`<p>${texts.signOn.intro}</p>
        ${form}`,
    })
  },
  send: async (request) => {
    const { code, state } = request.form
    const outcome = await request.run('Complete single sign-on', { body: { code, state } })
    const token = textIn(outcome.value, 'token')
    if (token === undefined) return refused(request, outcome)
    const redirectTo = textIn(outcome.value, 'redirect_to') ?? ''
    return signedOn(request, token, objectIn(outcome.value['user']), redirectTo)
  },
}

function signedOn(request: PageRequest, token: string, user: Outcome['value'], redirectTo: string): Answer {
  const { texts } = request
  const name = textIn(user, 'global_name') ?? textIn(user, 'username') ?? ''
  const said = html`<p>${texts.signOn.done(name)}</p>`
  if (!isNextPage(redirectTo)) {
    const body = html`${said}
      <details>
        <summary>${texts.signOn.token}</summary>
        <p><code>${token}</code></p>
      </details>`
    return pageAnswer(request, { title: texts.signOn.title, body })
  }
  const body = html`${said}${goOnWith(request, token, redirectTo)}`
  return pageAnswer(request, { title: texts.signOn.title, body })
}

function refused(request: PageRequest, outcome: Outcome): Answer {
  return pageAnswer(request, { status: outcome.status, title: request.texts.failed, body: problem(outcome) })
}
