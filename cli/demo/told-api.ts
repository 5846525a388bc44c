import { openApi, type Api } from '../../client/api.ts'
import type { Timeline } from './timeline.ts'

/** The API for a person of the story: each request and answer is written into the timeline. */
export function toldApi(server: string, who: string, timeline: Timeline, token?: string): Api {
  return openApi({
    url: server,
    ...(token === undefined ? {} : { token }),
    fetch: async (request) => {
      const body = request.body ? ((await request.clone().json()) as object) : undefined
      const { pathname } = new URL(request.url)
      timeline.add('request', who, `${request.method} ${pathname}${body ? ` ${JSON.stringify(shown(body))}` : ''}`)
      const answer = await fetch(request)
      const text = await answer.clone().text()
      timeline.add('answer', who, `${answer.status}${text === '' ? '' : summary(JSON.parse(text))}`)
      return answer
    },
  })
}

/** Passwords are not shown on the screen. */
function shown(body: object): object {
  return 'password' in body ? { ...body, password: '•••' } : body
}

const shownMembers = ['id', 'code', 'name', 'uses', 'max_uses', 'member_count', 'user_id']

function summary(body: unknown): string {
  if (Array.isArray(body)) return ` ${body.length} entries`
  if (typeof body !== 'object' || body === null) return ''
  const members = Object.entries(body).filter(
    ([name, value]) => shownMembers.includes(name) && (typeof value === 'string' || typeof value === 'number'),
  )
  return ` ${members.map(([name, value]) => `${name}=${String(value)}`).join(' ')}`
}
