import { usernameLength } from '../../../domain/account/names.ts'
import type { Answer } from '../answer.ts'
import { html, nothing, type Html } from './html.ts'
import { wayToAccount, type WayToAccount } from './new-accounts.ts'
import { goOnWith, isNextPage } from './next-page.ts'
import { fieldOf, formOf, hiddenFields, pageAnswer, problem, sayAnswer, type Page, type PageRequest } from './page.ts'
import { textIn, type Outcome } from './run-operation.ts'
import { endSession, fromLink, linkField, newPasswordField } from './token-pages.ts'

/**
 * Creates an account, with the code of a registration URL in the fragment or without one. `next` is the page that somebody came
 * from, and goes on to afterwards.
 */
export const registrationPage: Page = {
  path: '/register',
  show: async (request) => asked(request, request.query['next']),
  send: async (request) => {
    const { form } = request
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
    return outcome.ok ? registered(request, outcome) : asked(request, form['next'], outcome)
  },
}

function given(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : text
}

async function registered(request: PageRequest, outcome: Outcome): Promise<Answer> {
  const { form, texts } = request
  const { title, pending, created, done } = texts.register
  const token = textIn(outcome.value, 'token')
  // An account that waits for approval has no session.
  if (token === undefined) return sayAnswer(request, title, pending)
  const next = form['next']
  if (isNextPage(next)) {
    const body = html`<p>${created}</p>
      ${goOnWith(request, token, next)}`
    return pageAnswer(request, { title, body })
  }
  await endSession(request, outcome)
  return sayAnswer(request, title, done)
}

function asked(request: PageRequest, next: string | undefined, refused?: Outcome): Answer {
  const { texts, instance } = request
  const { title, intro, introByLink, button } = texts.register
  const way = wayToAccount(instance)
  const provider = instance.sso.display_name ?? texts.provider
  const status = refused?.status ?? 200
  if (way === 'closed') return sayAnswer(request, title, texts.newAccount.closed, status)
  if (way === 'provider') return sayAnswer(request, title, texts.newAccount.byProvider(provider), status)
  const body = html`${problem(refused)}
    <p>${way === 'link' ? introByLink : intro}</p>
    ${formOf(request, fieldsOf(request, way, next), button)}`
  return pageAnswer(request, { status, title, body })
}

function fieldsOf(request: PageRequest, way: WayToAccount, next: string | undefined): readonly Html[] {
  const { texts, form, instance } = request
  const { collect_date_of_birth: asksBirth } = instance.app_public.registration
  const { admin_registration_urls_enabled: takesLinks } = instance.registration
  const byEmail = instance.account_identity.mode === 'email'
  const { max } = usernameLength
  const value = (name: string): Html => html`name="${name}" value="${form[name] ?? ''}"`
  const label = way === 'link' ? texts.link : texts.registrationLink
  const goesOn = isNextPage(next)
  return [
    ...hiddenFields({ next: goesOn ? next : undefined }),
    takesLinks ? linkField(label, 'code', form['code'] ?? '', way === 'link' ? html` required` : nothing) : nothing,
    byEmail ? fieldOf(texts.email, html`type="email" required autocomplete="email" ${value('email')}`) : nothing,
    fieldOf(texts.username, html`required maxlength="${max}" autocomplete="username" ${value('username')}`),
    fieldOf(texts.displayName, html`autocomplete="nickname" ${value('global_name')}`),
    newPasswordField(texts),
    asksBirth
      ? fieldOf(texts.dateOfBirth, html`type="date" required autocomplete="bday" ${value('date_of_birth')}`)
      : nothing,
    goesOn ? nothing : fieldOf(texts.register.invite, html`autocomplete="off" ${value('invite_code')}`),
    agreement(request),
  ]
}

/** Asks for consent to the documents that the instance has. Without any there is nothing to agree to. */
function agreement({ texts, instance }: PageRequest): Html {
  const { terms_url: terms, privacy_url: privacy } = instance.app_public.legal
  const hasDocuments = terms !== null || privacy !== null
  if (!hasDocuments && instance.features.self_hosted) return nothing
  const { agree, agreeUnlinked } = texts.register
  const text = hasDocuments
    ? html`${agree} ${linkTo(terms, texts.terms)}${linkTo(privacy, texts.privacy)}`
    : html`${agreeUnlinked}`
  return html`<label><input type="checkbox" name="consent" required /> ${text}</label> `
}

/** A link to a page of the operator's, in a tab of its own; nothing without one. */
export function linkTo(url: string | null, text: string): Html {
  return url === null ? nothing : html`<a href="${url}" target="_blank" rel="noreferrer">${text}</a> `
}
