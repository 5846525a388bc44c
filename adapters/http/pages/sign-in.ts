import type { Answer } from '../answer.ts'
import { html, nothing, type Html } from './html.ts'
import { newAccountHint } from './new-accounts.ts'
import { fieldOf, formOf, hiddenFields, pageAnswer, problem, type PageRequest } from './page.ts'
import { textIn, type Outcome } from './run-operation.ts'

/** A page on which people sign in before they act. */
export interface SignInPage {
  readonly title: string
  /** What the sign-in is for. */
  readonly about: Html
  /** Fields that each step passes on. */
  readonly kept: Readonly<Record<string, string | undefined>>
  readonly button: string
  /** Whether who signs in stays signed in. If absent, the sign-in is for one act. */
  readonly isLasting?: true
  /** The address of the page below the instance's public URL, for whoever comes back to it. */
  readonly address: string
}

/** A session. Unless the sign-in lasts, the page ends it after the act. */
export interface SignedIn {
  readonly token: string
}

/** The page with the form that asks who somebody is. While single sign-on is enforced, the form leads only to the provider. */
export function signInAnswer(request: PageRequest, page: SignInPage, refused?: Outcome): Answer {
  const { title, about, kept, button, address, isLasting = false } = page
  const { texts, instance } = request
  const fields = [...hiddenFields({ ...kept, step: 'password' }), nameField(request), passwordField(request)]
  const local = instance.sso.enforced ? nothing : formOf(request, fields, button)
  const { display_name: provider } = instance.sso
  const sso = instance.sso.enabled
    ? formOf(request, hiddenFields({ ...kept, step: 'sso' }), texts.signInWith(provider ?? texts.provider), {
        isMain: instance.sso.enforced,
      })
    : nothing
  const hint = isLasting ? nothing : html`<p>${texts.signInHere}</p>`
  const body = html`${problem(refused)}${about} ${hint} ${local}${sso}${newAccountHint(request, address)}`
  return pageAnswer(request, { status: refused?.status ?? 200, title, body })
}

/**
 * Carries out the step of a sign-in that was sent. Gives the session, or the page that comes next: the form for an
 * authenticator's code, or the first form again with what was refused.
 */
export async function signIn(request: PageRequest, page: SignInPage): Promise<SignedIn | Answer> {
  const { form, texts, instance } = request
  // A sign-on has given it.
  if (form['step'] === 'session' && form['session'] !== undefined) return { token: form['session'] }
  const isSecond = form['step'] === 'code'
  const name = instance.account_identity.mode === 'email' ? { email: form['name'] } : { username: form['name'] }
  const outcome = isSecond
    ? await request.run('Complete login with TOTP', { body: { ticket: form['ticket'], code: form['code'] } })
    : await request.run('Log in', { body: { ...name, password: form['password'] } })
  if (!outcome.ok)
    return isSecond ? codeAnswer(request, page, form['ticket'] ?? '', outcome) : signInAnswer(request, page, outcome)
  const token = textIn(outcome.value, 'token')
  if (token !== undefined) return { token }
  if (outcome.value['totp'] === true) return codeAnswer(request, page, textIn(outcome.value, 'ticket') ?? '')
  const body = html`<p role="alert">${texts.onlyPasskeys}</p>`
  return pageAnswer(request, { status: 400, title: page.title, body })
}

function codeAnswer(request: PageRequest, page: SignInPage, ticket: string, refused?: Outcome): Answer {
  const { texts } = request
  const code = html`name="code" required inputmode="numeric" autocomplete="one-time-code"`
  const fields = [...hiddenFields({ ...page.kept, step: 'code', ticket }), fieldOf(texts.code, code)]
  const body = html`${problem(refused)}${page.about}${formOf(request, fields, page.button)}`
  return pageAnswer(request, { status: refused?.status ?? 200, title: page.title, body })
}

function nameField({ texts, instance, form }: PageRequest): Html {
  const value = form['name'] ?? ''
  return instance.account_identity.mode === 'email'
    ? fieldOf(texts.email, html`type="email" name="name" required autocomplete="username" value="${value}"`)
    : fieldOf(texts.username, html`name="name" required autocomplete="username" value="${value}"`)
}

function passwordField({ texts }: PageRequest): Html {
  return fieldOf(texts.password, html`type="password" name="password" required autocomplete="current-password"`)
}

/** Whether a step of a sign-in gave a session, and not the next page. */
export function isSignedIn(given: SignedIn | Answer): given is SignedIn {
  return 'token' in given
}
