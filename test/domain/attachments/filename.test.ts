import fc from 'fast-check'
import { expect, it } from 'vitest'
import { contentTypeOf } from '../../../domain/attachments/content-type.ts'
import { filename_bytes_max, filenameOf } from '../../../domain/attachments/filename.ts'

it.each([
  ['map.png', 'map.png'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\temp\\map.png', 'map.png'],
  ['..', 'unknown'],
  ['', 'unknown'],
  ['dir/', 'unknown'],
  ['a\u0000b\r\nc.txt', 'abc.txt'],
  ['exe\u202egpj.scr', 'exegpj.scr'],
  ['name. ', 'name'],
  ['.env', '.env'],
  ['Äöü 木.tar.gz', 'Äöü 木.tar.gz'],
])('the file %j is called %j', (given, name) => {
  expect(filenameOf(given)).toBe(name)
})

it('a long name is cut before its ending, between characters', () => {
  expect(filenameOf(`${'a'.repeat(300)}.png`)).toBe(`${'a'.repeat(251)}.png`)
  expect(filenameOf(`${'木'.repeat(100)}.png`)).toBe(`${'木'.repeat(83)}.png`)
})

it('no name is longer than 255 bytes, holds a separator or a control character, or changes when it is taken again', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (given) => {
      const name = filenameOf(given)
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(filename_bytes_max)
      expect(name).not.toMatch(/[/\\\p{Cc}]/u)
      expect(name).not.toMatch(/^\.{0,2}$/)
      expect(filenameOf(name)).toBe(name)
    }),
  )
})

it.each([
  ['map.PNG', 'image/png'],
  ['notes', 'application/octet-stream'],
  ['x.constructor', 'application/octet-stream'],
  ['a.tar.gz', 'application/gzip'],
])('the content of %j is of the type %s', (name, type) => {
  expect(contentTypeOf(name)).toBe(type)
})
