import { textsIn } from './texts/texts.ts'
import type { Ports } from '../../../application/ports.ts'
import type { Language } from '../../../domain/text/languages.ts'
import type { Answer } from '../answer.ts'
import { html } from './html.ts'
import { basePath, framedAnswer, problem } from './page.ts'
import { outcomeOf } from './run-operation.ts'

/** Makes the page that stands instead of a refusal. */
export type RefusalPage = (refused: Answer, language: Language) => Answer

/**
 * The page that a browser shows instead of a refusal in JSON, with the same status. It reads nothing of the instance: it costs no
 * more than the JSON, and can be shown when everything else is away.
 */
export function refusalPage({ instance }: Pick<Ports, 'instance'>): RefusalPage {
  return (refused, language) => {
    const { refused: texts, failed } = textsIn[language]
    const base = basePath(instance)
    const isUnknown = refused.refused === 'NOT_FOUND'
    const body = html`${isUnknown ? html`<p>${texts.nothingHere}</p>` : problem(outcomeOf(refused))}
      <p><a href="${base}/">${texts.toStart}</a></p>`
    const page = framedAnswer(
      { base, language },
      { status: refused.status, title: isUnknown ? texts.notFound : failed, body },
    )
    return { ...refused, headers: { ...refused.headers, ...page.headers }, body: page.body }
  }
}
