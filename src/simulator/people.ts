/** Names and addresses of simulated people. */
import { pick } from './seeded-random.ts'

/** Sixty-four, for as many columns of last names. */
const firstNames = (
  'Maya,Tomás,Imani,Walter,Greta,Dana,Priya,Lukas,Amara,Hiroshi,Sofia,Marcus,Elif,Noah,Chloé,Rafael,Ingrid,Kwame,Leila,' +
  'Owen,Yuki,Fatima,Jonas,Beatriz,Callum,Aiko,Nadia,Theo,Zoë,Samuel,Anneke,Diego,Hanna,Viktor,Rosa,Jamal,Astrid,Mateo,' +
  'Freya,Kenji,Olivia,Pavel,Simone,Arjun,Clara,Emeka,Juliette,Henrik,Mei,Patrick,Salma,Gustav,Renata,Isaac,Tove,Andre,' +
  'Miriam,Caleb,Lucía,Stefan,Nia,Gordon,Eun-ji,Baptiste'
).split(',')

const lastNames = (
  'Lindqvist,Herrera,Okafor,Brandt,Nyström,Whitaker,Raman,Vogel,Mensah,Tanaka,Moretti,Bell,Yılmaz,Carter,Dubois,Almeida,' +
  'Halvorsen,Asante,Haddad,Fletcher,Mori,Benali,Weiss,Souza,Mackenzie,Sato,Petrova,Lawson,Łukasiewicz,Reyes,De Vries,' +
  'Castillo,Koskinen,Novak,Delgado,Washington,Berg,Quintero,Sørensen,Nakamura,Hughes,Dvořák,Laurent,Iyer,Fischer,Eze,' +
  'Garnier,Lund,Zhang,Gallagher,Khalil,Ekström,Barros,Feldman,Holm,Thompson,Goldberg,Navarro,Ríos,Keller,Baker,Munro,' +
  'Park,Lefèvre,Schneider,Ortega,Kimani,Rossi,Larsen,Pereira,Chen,Donovan,Abadi,Winters,Ferrari,Haas,Mbeki,O’Connor'
).split(',')

/** The name of the nth person. Each pair of names occurs once: columns of first names meet last names at different rows. */
export function personName(n: number): string {
  const column = n % firstNames.length
  return `${firstNames[column]} ${pick(lastNames, Math.floor(n / firstNames.length) + column)}`
}

/** An address in plain letters. */
export function addressOf(name: string, domain: string): string {
  const plain = name.normalize('NFKD').toLowerCase().replace(/ł/g, 'l').replace(/ø/g, 'o').replace(/ı/g, 'i')
  return `${plain.replace(' ', '.').replace(/[^a-z.-]/g, '')}@${domain}`
}
