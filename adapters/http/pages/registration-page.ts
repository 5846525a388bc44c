import { usernameLength } from '../../../domain/account/names.js'
import type { Answer } from '../server/answer.js'
import { html, nothing, type Html } from './html.js'
import { fieldOf, formOf, pageAnswer, problem, sayAnswer, type Page, type PageRequest } from './page.js'
import type { Outcome } from './run-operation.js'
import { endSession, fromLink, linkField, newPasswordField } from './token-pages.js'

/** Creates an account, with the code of a registration URL in the fragment or without one. */
export const registrationPage: Page = {
  path: '/register',
  show: async (request) => asked(request),
  send: async (request) => {
    const { form, texts } = request
    const outcome = await request.run('Register', {
      body: {
        email: given(form['email']),
        username: given(form['username']),
        global_name: given(form['global_name']),
        password: given(form['password']),
        date_of_birth: given(form['date_of_birth']),
        consent: form['consent'] === 'on',
        invite_code: given(form['invite_code']),
        registration_url_code: given(fromLink(form['code'] ?? '', 'code')),
      },
    })
    if (!outcome.ok) return asked(request, outcome)
    await endSession(request, outcome)
    const isPending = outcome.value['registration_pending_approval'] === true
    return sayAnswer(request, texts.register.title, isPending ? texts.register.pending : texts.register.done)
  },
}

function given(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : text
}

function asked(request: PageRequest, refused?: Outcome): Answer {
  const { texts, form, instance } = request
  const { registration, legal } = instance.app_public
  const byEmail = instance.account_identity.mode === 'email'
  const { max } = usernameLength
  const value = (name: string): Html => html`name="${name}" value="${form[name] ?? ''}"`
  const fields = [
    linkField(texts.registrationLink, 'code', form['code'] ?? ''),
    byEmail ? fieldOf(texts.email, html`type="email" required autocomplete="email" ${value('email')}`) : nothing,
    fieldOf(texts.username, html`required maxlength="${max}" autocomplete="username" ${value('username')}`),
    fieldOf(texts.displayName, html`autocomplete="nickname" ${value('global_name')}`),
    newPasswordField(texts),
    registration.collect_date_of_birth
      ? fieldOf(texts.dateOfBirth, html`type="date" required autocomplete="bday" ${value('date_of_birth')}`)
      : nothing,
    fieldOf(texts.register.invite, html`autocomplete="off" ${value('invite_code')}`),
    html`<label><input type="checkbox" name="consent" required /> ${texts.register.agree}</label> `,
  ]
  const links = [linkTo(legal.terms_url, texts.terms), linkTo(legal.privacy_url, texts.privacy)]
  const body = html`${problem(refused)}
    <p>${texts.register.intro}</p>
    ${formOf(request, fields, texts.register.button)}
    <p>${links}</p>`
  return pageAnswer(request, { status: refused?.status ?? 200, title: texts.register.title, body })
}

/** A link to a page of the operator's; nothing without one. */
export function linkTo(url: string | null, text: string): Html {
  return url === null ? nothing : html`<a href="${url}">${text}</a> `
}
