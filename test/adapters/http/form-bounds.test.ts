import { describe, expect, it } from 'vitest'
import { formBytes_max, formFields_max, parseForm } from '../../../adapters/http/request/input/parse-form.ts'
import { echo } from './operations.ts'
import { adaToken, codesOf, startServer } from './support.ts'

const type = 'multipart/form-data; boundary=b'
const part = (name: string) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\nx\r\n`
const parts = (count: number) =>
  Buffer.from(`${Array.from({ length: count }, (_, at) => part(`n${at}`)).join('')}--b--`)
const tooLarge = { ok: false, fault: { path: 'body', code: 'TOO_LARGE' } }

describe('the bounds of a form', () => {
  it(`let ${formFields_max} parts pass, and no more`, async () => {
    const most = await parseForm(parts(formFields_max), type)
    expect(most.ok && Object.keys(Object(most.value))).toHaveLength(formFields_max)
    expect(await parseForm(parts(formFields_max + 1), type)).toMatchObject(tooLarge)
  })
  it('count parts before any is parsed, also those that hold nothing', async () => {
    expect(await parseForm(Buffer.from('--b\r\n\r\n'.repeat(10_000)), type)).toMatchObject(tooLarge)
    expect(await parseForm(Buffer.from('--b'.repeat(10_000)), type)).toMatchObject(tooLarge)
  })
  it('count by the boundary that the parser reads, where the Content-Type names several', async () => {
    const several = 'multipart/form-data; boundary=a, multipart/form-data; boundary=b'
    expect(await parseForm(parts(1), several)).toMatchObject({ ok: false, fault: { code: 'INVALID_FORMAT' } })
    const quoted = 'multipart/form-data; note="boundary=a"; boundary="b"; boundary=c'
    expect(await parseForm(parts(1), quoted)).toEqual({ ok: true, value: { n0: 'x' } })
  })
  it('refuse a multipart form without a boundary', async () => {
    expect(await parseForm(parts(1), 'multipart/form-data')).toMatchObject({
      ok: false,
      fault: { code: 'INVALID_FORMAT' },
    })
  })
  it(`are ${formBytes_max} bytes for an operation that takes a form`, async () => {
    const server = await startServer([{ ...echo, takesForm: true }])
    const send = (bytes: number) =>
      server.fetch('/v1/things/1/echo', {
        method: 'POST',
        token: adaToken,
        body: `unknown=${'x'.repeat(bytes - 8)}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
    expect((await send(formBytes_max)).status).toBe(200)
    expect(await codesOf(await send(formBytes_max + 1))).toEqual(['400 INVALID_FORM_BODY', 'body TOO_LARGE'])
  })
})
