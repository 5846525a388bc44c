/** Marks above and below letters. Those that are vowels of Indic and other scripts, or sounds of Kana, are letters to whoever reads. */
const marks =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u093c]/gu

/** Letters with a stroke or tied together, which Unicode takes for letters of their own, and forms of one letter. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ς: 'σ',
  ґ: 'г',
  ך: 'כ',
  ם: 'מ',
  ן: 'נ',
  ף: 'פ',
  ץ: 'צ',
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
  ة: 'ه',
}
const otherLetters = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'gu')
const katakana = /[\u30a1-\u30f6]/gu
const hiraganaBefore = 0x60
/** Has nothing to fold but letter case. */
const ascii = /^[\u0020-\u007e]*$/u
const hangul = /\p{Script=Hangul}+/gu

/**
 * A word as somebody may write it who has no such keys, or no such habit: in lower case, without marks, ß as ss, Katakana as Hiragana.
 * Syllables of Hangul are taken apart into their letters, so that a word that ends in the middle of one begins with it. Folding what
 * is folded changes nothing.
 */
export function foldedWord(word: string): string {
  if (ascii.test(word)) return word.toLowerCase()
  const unmarked = word.normalize('NFKD').toLowerCase().normalize('NFKD').replace(marks, '').normalize('NFC')
  return unmarked
    .replace(otherLetters, (letter) => plainLetters[letter] ?? letter)
    .replace(katakana, (letter) => String.fromCodePoint(letter.charCodeAt(0) - hiraganaBefore))
    .replace(hangul, (syllables) => syllables.normalize('NFD'))
}
