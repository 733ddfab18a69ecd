/** Date-times as instants, with any offset and in any format. */

const form = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:[Zz]|([+-])(\d\d)(?::?(\d\d))?)$/

/**
 * The instant as UTC text in one fixed form, so that texts sort as their instants. Null for every text that is not a
 * date with a time and an offset: a date alone, a time without offset, a day that does not exist.
 */
export function instantOf(text: string): string | null {
  // Most texts are not date-times; looking for the dash first is five times as fast as the whole pattern.
  if (text.length < 17 || text.length > 35 || text.charCodeAt(4) !== 0x2d) return null
  const match = form.exec(text)
  if (match === null) return null
  const [, year, month, day, hour, minute, second = '00', fraction = '', sign, offsetHour = '0', offsetMinute = '0'] =
    match
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return null
  if (!isDay(Number(year), Number(month), Number(day))) return null
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === '-' ? -1 : 1)
  // Nearly all are already UTC and keep their digits.
  if (offset === 0) return `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.padEnd(9, '0')}Z`
  const time = new Date(0)
  time.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  time.setUTCHours(Number(hour), Number(minute) - offset, Number(second))
  const written = time.toISOString()
  // A year before 0 or after 9999 would get a sign and sort elsewhere.
  return written.length === 24 ? `${written.slice(0, 19)}.${fraction.padEnd(9, '0')}Z` : null
}

/** Whether there is such a day. */
function isDay(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false
  if (day <= 28) return true
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return day <= (month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31)
}
