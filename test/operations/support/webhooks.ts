import type { TestAnswer, TestGuildhall } from '../../support/test-guildhall.ts'

/** What executes a webhook. */
export interface Hook {
  readonly id: string
  readonly token: string
}

/** A form with files of texts. */
export function formOf(payload: unknown, ...files: readonly (readonly [name: string, content: string])[]): FormData {
  const form = new FormData()
  form.set('payload_json', JSON.stringify(payload))
  for (const [index, [name, content]] of files.entries()) form.set(`files[${index}]`, new Blob([content]), name)
  return form
}

/** Executes a webhook by a form, and waits for the message. */
export async function executeWithFiles(
  { url }: Pick<TestGuildhall, 'url'>,
  { id, token }: Hook,
  body: FormData,
): Promise<TestAnswer> {
  const answer = await fetch(`${url}/v1/webhooks/${id}/${token}?wait=1`, { method: 'POST', body })
  return { status: answer.status, headers: answer.headers, body: await answer.json() }
}
