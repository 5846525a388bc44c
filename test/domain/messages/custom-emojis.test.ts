import { describe, expect, it } from 'vitest'
import { emojiId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { customEmojisIn, withoutEmojis } from '../../../domain/messages/custom-emojis.ts'

const id = (text: string) => emojiId(snowflake(text))
const gone = new Set([id('11')])

describe('the custom emojis in a text', () => {
  it('are named with their ids, each once', () => {
    expect(customEmojisIn('hello <:wave:11> <a:tower:12>, <:wave:11>')).toStrictEqual([id('11'), id('12')])
  })

  it('are neither other brackets nor numbers that no id has', () => {
    expect(customEmojisIn('<@11> <:w:11> <:wave:> <:wave:x1> <:wave:9999999999999999999> :wave:')).toStrictEqual([])
  })

  it('are none in code', () => {
    expect(customEmojisIn('`<:wave:11>` ```\n<:wave:11>\n```')).toStrictEqual([])
  })
})

describe('a text without some of its emojis', () => {
  it('has their names instead', () => {
    expect(withoutEmojis('a <:wave:11> b <a:wave:11><:tower:12>', gone)).toBe('a :wave: b :wave:<:tower:12>')
  })

  it('has its code as it was', () => {
    expect(withoutEmojis('`<:wave:11>` <:wave:11> ```<:wave:11>```', gone)).toBe('`<:wave:11>` :wave: ```<:wave:11>```')
  })
})
