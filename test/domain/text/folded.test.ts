import { describe, expect, it } from 'vitest'
import { folded } from '../../../domain/text/folded.ts'

describe('the form in which phrases are compared', () => {
  it.each([
    ['Buy Now', 'buynow'],
    [' b u y  n-o-w! ', 'buynow'],
    ['b.u.y_n.o.w', 'buynow'],
    ['ＢＵＹ ｎｏｗ', 'buynow'],
    ['bu\u200by\u200d n\ufe0fow\u2060', 'buynow'],
    ['buy\u202e now\f\u0007', 'buynow'],
    ['b\u{e0061}uy no\u{e0100}w', 'buynow'],
    ['ﬁne', 'fine'],
    ['ÉTÉ', 'été'],
    ['50% c++', '50c++'],
    ['😀 ok', '😀ok'],
  ])('of %j is %j', (text, expected) => {
    expect(folded(text)).toBe(expected)
  })
  it('of nothing but what may stand between letters is empty', () => {
    expect(folded(' \u200b.-_!?\u3164\u2800')).toBe('')
  })
  it('is the same for its own form', () => {
    for (const text of ['Buy Now', 'ＢＵＹ', 'İstanbul', 'ǅ', 'ﬁne']) expect(folded(folded(text))).toBe(folded(text))
  })
})
