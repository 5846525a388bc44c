import type { Answer } from '../answer.ts'
import { html, nothing, type Html } from './html.ts'
import { newAccountHint } from './new-accounts.ts'
import { askForPasskey, passkeyButton, signInByPasskey } from './passkey-sign-in.ts'
import { fieldOf, formOf, hiddenFields, pageAnswer, problem, type PageRequest } from './page.ts'
import { textIn, type Outcome } from './run-operation.ts'
import type { SignInPage } from './sign-in-page.ts'

/** A session. Unless the sign-in lasts, the page ends it after the act. */
export interface SignedIn {
  readonly token: string
}

/** The page with the form that asks who somebody is. While single sign-on is enforced, the form leads only to the provider. */
export function signInAnswer(request: PageRequest, page: SignInPage, refused?: Outcome): Answer {
  const { title, about, kept, button, address, isLasting = false } = page
  const { texts, instance } = request
  const fields = [...hiddenFields({ ...kept, step: 'password' }), nameField(request), passwordField(request)]
  const { enforced } = instance.sso
  const local = enforced ? nothing : formOf(request, fields, button)
  const passkey = enforced ? nothing : passkeyButton(request, page)
  const { display_name: provider } = instance.sso
  const sso = instance.sso.enabled
    ? formOf(request, hiddenFields({ ...kept, step: 'sso' }), texts.signInWith(provider ?? texts.provider), {
        isMain: enforced,
      })
    : nothing
  const hint = isLasting ? nothing : html`<p>${texts.signInHere}</p>`
  const body = html`${problem(refused)}${about} ${hint} ${local}${sso}${passkey}${newAccountHint(request, address)}`
  return pageAnswer(request, { status: refused?.status ?? 200, title, body })
}

/**
 * Carries out the step of a sign-in that was sent. Gives the session, or the page that comes next: the one of the second factor, the
 * one that asks for a passkey, or the first one again with what was refused.
 */
export async function signIn(request: PageRequest, page: SignInPage): Promise<SignedIn | Answer> {
  const { form } = request
  const { step, ticket } = form
  // A sign-on has given it.
  if (step === 'session' && form['session'] !== undefined) return { token: form['session'] }
  if (step === 'passkey') return passkeyAnswer(request, page, ticket)
  if (step === 'code') {
    const outcome = await request.run('Complete login with TOTP', { body: { ticket, code: form['code'] } })
    return signedInBy(outcome) ?? codeAnswer(request, page, ticket ?? '', outcome)
  }
  if (step === 'signed') {
    const outcome = await signInByPasskey(request)
    return signedInBy(outcome) ?? passkeyAnswer(request, page, ticket, outcome)
  }
  return signInByPassword(request, page)
}

async function signInByPassword(request: PageRequest, page: SignInPage): Promise<SignedIn | Answer> {
  const { form, instance } = request
  const name = instance.account_identity.mode === 'email' ? { email: form['name'] } : { username: form['name'] }
  const outcome = await request.run('Log in', { body: { ...name, password: form['password'] } })
  if (!outcome.ok) return signInAnswer(request, page, outcome)
  const ticket = textIn(outcome.value, 'ticket') ?? ''
  const next = (): Answer | Promise<Answer> =>
    outcome.value['totp'] === true
      ? codeAnswer(request, page, ticket, undefined, outcome.value['webauthn'] === true)
      : passkeyAnswer(request, page, ticket)
  return signedInBy(outcome) ?? next()
}

function signedInBy({ value }: Outcome): SignedIn | undefined {
  const token = textIn(value, 'token')
  return token === undefined ? undefined : { token }
}

/** Asks for a passkey, alone or with the ticket of a sign-in by password. */
async function passkeyAnswer(
  request: PageRequest,
  page: SignInPage,
  ticket: string | undefined,
  refused?: Outcome,
): Promise<Answer> {
  const asked = await askForPasskey(request, page, { ticket }, refused)
  return 'messages' in asked ? signInAnswer(request, page, refused ?? asked) : asked
}

function codeAnswer(
  request: PageRequest,
  page: SignInPage,
  ticket: string,
  refused?: Outcome,
  hasPasskeys = request.form['passkeys'] === 'true',
): Answer {
  const { texts } = request
  const code = html`name="code" required inputmode="numeric" autocomplete="one-time-code"`
  const kept = { ...page.kept, step: 'code', ticket, passkeys: String(hasPasskeys) }
  const fields = [...hiddenFields(kept), fieldOf(texts.code, code)]
  const passkey = hasPasskeys ? passkeyButton(request, page, { ticket }) : nothing
  const body = html`${problem(refused)}${page.about}${formOf(request, fields, page.button)}${passkey}`
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
