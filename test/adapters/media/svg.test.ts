import { describe, expect, it } from 'vitest'
import { recogniseImage } from '../../../adapters/media/formats/image-format.ts'

const svg = (content: string, before = '') =>
  recogniseImage(Buffer.from(`${before}<svg xmlns="http://www.w3.org/2000/svg">${content}</svg>`))

describe('an SVG', () => {
  it.each([
    '<rect><animate attributeName="x" from="0" to="9" dur="1s"/></rect>',
    '<s:animateTransform xmlns:s="http://www.w3.org/2000/svg" attributeName="transform"/>',
    '<animateMotion\n/>',
    '<set attributeName="x"/>',
    '<style>@keyframes turn { to { rotate: 1turn } }</style>',
    '<style>@-webkit-keyframes turn { }</style>',
  ])('that moves is an animated upload: %s', (content) => {
    expect(svg(content)).toStrictEqual({ format: 'svg', animated: true })
  })

  it.each(['<', '&#60;', '&#0060;', '&#x3C;', '&#x003c;'])('moves by what an entity holds: %s', (bracket) => {
    const entity = `<!DOCTYPE svg [<!ENTITY a "${bracket}animate attributeName='x'/>">]>`
    expect(svg('&a;', entity)).toStrictEqual({ format: 'svg', animated: true })
  })

  it.each(['<rect width="1" height="1"/>', '<animated/>', '<settings/>', '<text>animate set</text>'])(
    'that does not move is a still one: %s',
    (content) => {
      expect(svg(content)).toStrictEqual({ format: 'svg', animated: false })
    },
  )
})
