import { expect, it } from 'vitest'
import { dispatchNames } from '../../gateway/protocol/dispatch-names.ts'
import { closings } from '../../gateway/protocol/closings.ts'
import { opcodes } from '../../gateway/protocol/opcodes.ts'
import { htmlOf } from '../../cli/gateway-reference/html-of.ts'
import { dispatchCatalogue } from '../../cli/gateway-reference/dispatch-catalogue.ts'
import { connections } from '../operations/support/connected.ts'
import { found } from '../operations/support/answers.ts'
import { sharedGuildhall } from '../support/shared-guildhall.ts'

type Json = Readonly<Record<string, unknown>>

/** The value at a JSON pointer such as `#/components/schemas/Guild`. */
function at(document: unknown, pointer: string): unknown {
  const names = pointer.split('/').slice(1)
  return names.reduce<unknown>((value, name) => (value as Json | undefined)?.[name], document)
}

/** Every reference in a document, at any depth. */
function references(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => (name === '$ref' ? [String(member)] : references(member)))
}

it('/docs/gateway shows every opcode, close code and dispatch, and loads nothing from elsewhere', async () => {
  const { url } = await sharedGuildhall()
  const response = await fetch(`${url}/docs/gateway`)
  const page = await response.text()
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  const named = [...Object.keys(opcodes), ...dispatchNames]
  expect(named.filter((name) => !page.includes(`<td><code>${name}</code></td>`))).toEqual([])
  expect(Object.values(closings).filter(({ reason }) => !page.includes(`<td>${reason}</td>`))).toEqual([])
  expect(page).not.toMatch(/https?:|<script|style=/)
  for (const [, file = ''] of page.matchAll(/href="([^"]+)"/g))
    expect([file, (await fetch(new URL(file, `${url}/docs/gateway`))).status]).toEqual([file, 200])
})

it('/docs/gateway.json is an AsyncAPI 3 document with a message for each opcode and dispatch', async () => {
  const { url } = await sharedGuildhall()
  const document = (await (await fetch(`${url}/docs/gateway.json`)).json()) as Json
  expect(document).toMatchObject({ asyncapi: '3.0.0', info: { title: 'Guildhall Gateway' } })
  for (const reference of references(document))
    expect([reference, at(document, reference)]).toEqual([reference, expect.anything()])
  const messages = Object.values(at(document, '#/components/messages') as Json)
  const ops = messages.map((message) => at(message, '#/payload/properties/op/const'))
  expect(new Set(ops)).toEqual(new Set(Object.values(opcodes)))
  const dispatched = messages.flatMap((message) => at(message, '#/payload/properties/t/const') ?? [])
  expect(dispatched).toEqual([...dispatchNames])
  expect(at(document, '#/components/messages/MESSAGE_CREATE/payload/properties/d/properties')).toHaveProperty('content')
  const received = at(document, '#/operations/fromClients/messages') as readonly Json[]
  expect(received).toContainEqual({ $ref: '#/channels/gateway/messages/identify' })
  expect(received).not.toContainEqual({ $ref: '#/channels/gateway/messages/hello' })
})

it('the page has no markup of its own text', () => {
  expect(htmlOf('# A <b>\n\n| a | b |\n| --- | --- |\n| `x` | <i> |')).toBe(
    '<h1>A &lt;b&gt;</h1>\n<div class="scroll" tabindex="0">\n<table>\n<tr><th>a</th><th>b</th></tr>\n<tr><td><code>x</code></td><td>&lt;i&gt;</td></tr>\n</table>\n</div>',
  )
})

it('the page shows code as it stands', () => {
  expect(htmlOf('a\n\n```\nb <c> `d`\n```')).toBe('<p>a</p>\n<pre tabindex="0"><code>b &lt;c&gt; `d`</code></pre>')
})

it('READY has the members that the reference gives it', async () => {
  const guildhall = await sharedGuildhall()
  const ada = await guildhall.register()
  await found(guildhall, ada)
  const { connect, end } = connections()
  try {
    const { ready } = await connect(guildhall, ada)
    expect(dispatchCatalogue.READY.d.parse(ready)).toStrictEqual(ready)
  } finally {
    end()
  }
})
