import { beforeEach, describe, expect, it } from 'vitest'
import { field } from '../../../../domain/kernel/refusal.ts'
import { bodyOf, expectFields, expectRefusal, listOf } from '../../support/answers.ts'
import { placeOf, type Place } from '../../support/members.ts'
import { openServer } from '../../support/scene.ts'
import { setFeatures } from '../../support/guilds.ts'
import { threadsHeader } from '../../support/threads.ts'
import type { Hook } from '../../support/webhooks.ts'

const guildhall = await openServer()
const ada = await guildhall.register()
const as = { token: ada.token, headers: threadsHeader }

/** Ada's guild with a webhook; every test has its own. */
let home: Place
let hook: Hook
beforeEach(async () => {
  home = await placeOf(guildhall, ada)
  hook = await made(home.channel)
})

const made = async (channel: string): Promise<Hook> => {
  const answer = await guildhall.request('POST', `/v1/channels/${channel}/webhooks`, { ...as, body: { name: 'Build' } })
  const { id, token } = bodyOf(answer)
  return { id: String(id), token: String(token) }
}
const pathOf = ({ id, token }: Hook, end: string) => `/v1/webhooks/${id}/${token}${end}`
const messages = async () =>
  listOf(await guildhall.request('GET', `/v1/channels/${home.channel}/messages`, as)).filter(({ type }) => type === 0)
const slack = (body: unknown, by = hook) => guildhall.request('POST', pathOf(by, '/slack'), { body })

const inForm = async (end: string, fields: Readonly<Record<string, string>>, headers = {}, by = hook) => {
  const answer = await fetch(`${guildhall.url}${pathOf(by, end)}`, {
    method: 'POST',
    headers,
    body: new URLSearchParams(fields),
  })
  const text = await answer.text()
  const isJson = text.startsWith('{')
  return { status: answer.status, headers: answer.headers, body: isJson ? (JSON.parse(text) as unknown) : text }
}

let deliveries = 0
const github = (event: string, body: object, by = hook, id = `delivery-${(deliveries += 1)}`) =>
  guildhall.request('POST', pathOf(by, '/github'), {
    body: { repository, sender, ...body },
    headers: { 'x-github-event': event, 'x-github-delivery': id },
  })

const repository = { name: 'engine', full_name: 'ada/engine', html_url: 'https://github.com/ada/engine' }
const sender = { login: 'ada', html_url: 'https://github.com/ada', avatar_url: 'https://github.com/ada.png' }
const issue = {
  number: 7,
  title: 'Card is stuck',
  html_url: 'https://github.com/ada/engine/issues/7',
  body: 'It jams.',
}
const commits = [
  { id: '0123456789abcdef', message: 'Oil it\n\nlong', url: 'https://github.com/c/1', author: { name: 'Ada' } },
  { id: 'fedcba9876543210', message: 'Turn it', url: 'https://github.com/c/2', author: { name: 'Charles' } },
]

describe('a message in the form of Slack', () => {
  it('is answered with ok, and posted by its name, with its attachments as embeds', async () => {
    const url = `${guildhall.url}${pathOf(hook, '/slack')}`
    const sent = {
      text: 'The build',
      username: 'Slackbot',
      attachments: [
        {
          fallback: 'ignored',
          pretext: 'before',
          text: 'said',
          color: '#00ff00',
          title: 'Build 7',
          title_link: 'https://example.com/7',
          fields: [{ title: 'state', value: 'green', short: true }, { title: 'half' }],
          footer: 'foot',
          ts: 1_700_000_000,
          author_name: 'CI',
          author_link: 'no address',
          image_url: 'https://example.com/a.png',
        },
        { fallback: 'stands for it', color: 'good' },
        {},
      ],
    }
    const answer = await fetch(url, { method: 'POST', body: JSON.stringify(sent) })
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toStrictEqual([
      200,
      'text/html',
      'ok',
    ])
    const [message] = await messages()
    expect(message).toMatchObject({ content: 'The build', author: { id: hook.id, username: 'Slackbot' } })
    expect(message?.['embeds']).toMatchObject([
      {
        title: 'Build 7',
        url: 'https://example.com/7',
        description: 'before\nsaid',
        color: 0x00ff00,
        fields: [{ name: 'state', value: 'green', inline: true }],
        footer: { text: 'foot' },
        author: { name: 'CI' },
        image: { url: 'https://example.com/a.png' },
        timestamp: expect.stringMatching(/^2023-11-14T22:13:20/),
      },
      { description: 'stands for it' },
    ])
  })

  it('mentions nobody, and has embeds of any length', async () => {
    expect((await slack({ text: `@everyone <@${ada.id}>` })).status).toBe(200)
    expect((await slack({ attachments: [{ text: 'x'.repeat(5000) }, { text: 'y'.repeat(5000) }] })).status).toBe(200)
    expect(await messages()).toMatchObject([{}, { mention_everyone: false, mentions: [] }])
  })

  it('is refused where it is empty, long, badly named or has too many attachments', async () => {
    expectRefusal(await slack({}), 400, 'CANNOT_SEND_EMPTY_MESSAGE')
    expectFields(await slack({ text: 'x'.repeat(4001) }), field('content', 'CONTENT_EXCEEDS_MAX_LENGTH'))
    for (const username of ['', 'x'.repeat(81)])
      expectFields(await slack({ text: 'x', username }), field('username', 'WEBHOOK_NAME_LENGTH_INVALID'))
    const attachments = Array.from({ length: 11 }, () => ({ text: 'x' }))
    expectFields(await slack({ attachments }), field('embeds', 'TOO_MANY_EMBEDS'))
    expectRefusal(await slack({ text: 'x' }, { ...hook, token: 'x' }), 404, 'UNKNOWN_WEBHOOK')
    expect(await messages()).toStrictEqual([])
  })

  it('may be in a form', async () => {
    const said = JSON.stringify({ text: 'a & b = c + d' })
    expect((await inForm('/slack', { payload: said })).status).toBe(200)
    expect(await messages()).toMatchObject([{ content: 'a & b = c + d' }])
    for (const fields of [{}, { payload: '{' }, { text: 'x' }])
      expectRefusal(await inForm('/slack', fields), 400, 'CANNOT_SEND_EMPTY_MESSAGE')
    expectFields(await inForm('/slack', { payload: JSON.stringify({ text: 7 }) }), field('text', 'INVALID_FORMAT'))
  })

  it('needs a thread in a forum, as a delivery of GitHub does', async () => {
    const { id: forum } = bodyOf(
      await guildhall.request('POST', `/v1/guilds/${home.id}/channels`, { ...as, body: { type: 15, name: 'forum' } }),
    )
    const its = await made(String(forum))
    expectRefusal(await slack({ text: 'x' }, its), 400, 'WEBHOOK_SERVICE_FORUM_UNSUPPORTED')
    expectRefusal(await github('public', {}, its), 400, 'WEBHOOK_SERVICE_FORUM_UNSUPPORTED')
  })
})

describe('a delivery of GitHub', () => {
  const shown = async () => {
    const [message] = await messages()
    const [embed] = (message?.['embeds'] ?? []) as readonly Readonly<Record<string, unknown>>[]
    return embed
  }

  it('is posted by the name of GitHub, with what happened in an embed', async () => {
    const push = { ref: 'refs/heads/main', compare: 'https://github.com/compare', commits }
    expect((await github('push', push)).status).toBe(204)
    expect((await messages())[0]).toMatchObject({ content: '', author: { id: hook.id, username: 'GitHub' } })
    expect(await shown()).toMatchObject({
      title: '[engine:main] 2 new commits',
      url: 'https://github.com/compare',
      description:
        '[`0123456`](https://github.com/c/1) Oil it - Ada\n[`fedcba9`](https://github.com/c/2) Turn it - Charles',
      author: { name: 'ada', url: 'https://github.com/ada', icon_url: 'https://github.com/ada.png' },
    })
  })

  const check = { name: 'tests', conclusion: 'success', html_url: 'https://github.com/check', head_branch: 'main' }
  const told: readonly (readonly [event: string, body: object, embed: object])[] = [
    [
      'issues',
      { action: 'opened', issue },
      { title: '[ada/engine] Issue opened: #7 Card is stuck', description: 'It jams.' },
    ],
    ['issues', { action: 'closed', issue }, { title: '[ada/engine] Issue closed: #7 Card is stuck' }],
    [
      'pull_request',
      { action: 'reopened', pull_request: issue },
      { title: '[ada/engine] Pull request reopened: #7 Card is stuck' },
    ],
    [
      'issue_comment',
      { action: 'created', issue, comment: { body: 'Oil it.' } },
      { title: '[ada/engine] New comment on issue #7: Card is stuck', description: 'Oil it.' },
    ],
    [
      'issue_comment',
      { action: 'created', issue: { ...issue, pull_request: {} }, comment: { body: 'Fine.' } },
      { title: '[ada/engine] New comment on pull request #7: Card is stuck' },
    ],
    ['create', { ref: 'v1', ref_type: 'tag' }, { title: '[ada/engine] New tag created: v1' }],
    ['delete', { ref: 'old', ref_type: 'branch' }, { title: '[ada/engine] Branch deleted: old' }],
    ['fork', { forkee: { full_name: 'bob/engine' } }, { title: '[ada/engine] Fork created: bob/engine' }],
    ['member', { action: 'added', member: sender }, { title: '[ada/engine] New collaborator added: ada' }],
    ['public', {}, { title: '[ada/engine] Now open sourced!' }],
    [
      'release',
      { action: 'published', release: { name: null, tag_name: 'v1', body: 'First.' } },
      { title: '[ada/engine] New release published: v1', description: 'First.' },
    ],
    ['watch', { action: 'started' }, { title: '[ada/engine] New star added' }],
    [
      'check_run',
      { action: 'completed', check_run: check },
      { title: '[ada/engine] tests succeeded on main', color: 0x2da44e },
    ],
    [
      'check_suite',
      { action: 'completed', check_suite: { ...check, conclusion: 'timed_out' } },
      { title: '[ada/engine] tests timed out on main', color: 0xcf222e },
    ],
    [
      'push',
      { ref: 'refs/heads/main', forced: true, after: '0123456789', compare: 'https://github.com/compare', commits },
      {
        title: '[engine:main] Branch was force-pushed to 0123456',
        description: '[Compare changes](https://github.com/compare)',
      },
    ],
  ]
  it.each(told)('tells of %s: %j', async (event, body, embed) => {
    expect((await github(event, body)).status).toBe(204)
    expect(await shown()).toMatchObject(embed)
  })

  it('is cut to a title of 70 and a description of 350 characters', async () => {
    await github('issues', { action: 'opened', issue: { ...issue, title: 'x'.repeat(300), body: 'y'.repeat(400) } })
    const { title, description } = (await shown()) ?? {}
    expect([String(title).length, String(description).length]).toStrictEqual([70, 350])
  })

  it('says nothing of other events and actions, of skipped checks, or of what is no delivery', async () => {
    const silent: readonly (readonly [string, object])[] = [
      ['ping', {}],
      ['constructor', {}],
      ['issues', { action: 'labeled', issue }],
      ['check_run', { action: 'completed', check_run: { ...check, conclusion: 'skipped' } }],
      ['push', { ref: 'refs/heads/main', commits: [] }],
      ['create', { ref: 'x', ref_type: 'repository' }],
      ['watch', { action: 'started', sender: null }],
    ]
    for (const [event, body] of silent) expect((await github(event, body)).status).toBe(204)
    const bare = await guildhall.request('POST', pathOf(hook, '/github'), { body: { repository, sender } })
    expect(bare.status).toBe(204)
    const bad = await fetch(`${guildhall.url}${pathOf(hook, '/github')}`, { method: 'POST', body: '{' })
    expect(bad.status).toBe(204)
    expect(await messages()).toStrictEqual([])
    expectRefusal(await github('ping', {}, { ...hook, token: 'x' }), 404, 'UNKNOWN_WEBHOOK')
  })

  it('may be in a form', async () => {
    const payload = JSON.stringify({ repository, sender, action: 'opened', issue })
    const headers = { 'x-github-event': 'issues', 'x-github-delivery': 'in-a-form' }
    for (let time = 0; time < 2; time += 1) expect((await inForm('/github', { payload }, headers)).status).toBe(204)
    expect(await shown()).toMatchObject({ title: '[ada/engine] Issue opened: #7 Card is stuck' })
    expect(await messages()).toHaveLength(1)
    expectRefusal(await inForm('/github', { payload }, headers, { ...hook, token: 'x' }), 404, 'UNKNOWN_WEBHOOK')
  })

  it('is posted once by each webhook, however often it comes and whatever it then says', async () => {
    const other = await made(home.channel)
    const answers = await Promise.all([
      ...Array.from({ length: 4 }, () => github('public', {}, hook, 'the-same')),
      github('public', {}, other, 'the-same'),
    ])
    answers.push(await github('watch', { action: 'started' }, hook, 'the-same'))
    expect(answers.map(({ status }) => status)).toStrictEqual([204, 204, 204, 204, 204, 204])
    expect(await messages()).toHaveLength(2)
    await github('public', {}, hook, 'another')
    expect(await messages()).toHaveLength(3)
  })

  it('is not posted again where its message was deleted, and is where it was refused', async () => {
    await github('public', {}, hook, 'deleted')
    const path = `/v1/channels/${home.channel}/messages`
    const [first] = await messages()
    expect((await guildhall.request('DELETE', `${path}/${String(first?.['id'])}`, as)).status).toBe(204)
    expect((await github('public', {}, hook, 'deleted')).status).toBe(204)
    expect(await messages()).toStrictEqual([])
    await setFeatures(guildhall, home.id, 'UNAVAILABLE_FOR_EVERYONE')
    expectRefusal(await github('public', {}, hook, 'refused'), 403, 'MISSING_ACCESS')
    await setFeatures(guildhall, home.id)
    expect((await github('public', {}, hook, 'refused')).status).toBe(204)
    expect(await messages()).toHaveLength(1)
  })

  it('is kept out by nobody who knows its id and not the token', async () => {
    expectRefusal(await github('public', {}, { ...hook, token: 'x' }, 'guessed'), 404, 'UNKNOWN_WEBHOOK')
    await github('public', {}, hook, 'guessed')
    expect(await messages()).toHaveLength(1)
  })

  it('mentions nobody', async () => {
    await github('issues', { action: 'opened', issue: { ...issue, title: `@everyone <@${ada.id}>` } })
    expect(await messages()).toMatchObject([{ mention_everyone: false, mentions: [] }])
  })
})
