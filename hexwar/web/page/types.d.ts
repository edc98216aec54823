// What the modules of the page pass to each other. The server's answers are described in docs/browser.md.
export type Json = any;
export interface Choice { action: Json; words: string; says: string; place: string | null; way: string[]; cost?: number; icon?: string; about?: string; }
export interface Group { key: string; complete: boolean; open: { action: Json; point: string } | null; choices: Choice[]; through?: string[]; }
export interface Piece { id: string; place: string | null; side: string; face: string; says: string; name: string; works: boolean; label?: string; kind?: string; group?: string; state?: string[]; }
export interface Line { line: number; kind: string; text: string; says: string; clause: string; side?: string; pieces?: string[]; places?: string[]; blow?: string[]; gone?: string[]; reads?: string; trail?: Trail; dice?: { value: number; faces: number }[]; }
export interface Trail { pieces: string[]; points: string[]; kind: string; side: string; }
export interface Reach { costs: Record<string, [number, string]>; ways: Record<string, string[]>; closed: Record<string, string>; zones: string[]; }
export interface State {
  about: Json; view: Json; seat: string | undefined; next?: string; busy: boolean; newest: number; heard: number | null; away: boolean; slow: boolean;
  say: string; curtain: string | null; hidden: boolean; chosen: Group | null; choosing: string | null; reach: Reach | null; corner: boolean;
  hint: Json; advising: boolean; sure: string | null; attack: Json; past: Json; showing: boolean; cover: string; covered: Json; sheet: string | null; tab: string;
  opened: string[]; settings: Record<string, any>; lines: Line[]; seen: number | null; looked: { piece: string | null; place: string | null } | null;
  words: string[]; rule: Json; cards: Record<string, Json>; charts: Json; found: Json; search: string; luck: Json; notes: string | null; chat: Json[];
  chatSeen: number; talked: boolean; lesson: { step: number; did: string } | null; links: Json; bare: boolean; wide: string; replaying: Json; summary: Json; room: string; aimed: Json;
}
export type PageEvent = { is: string; [name: string]: any };
export type Effect = { do: string; [name: string]: any };
export interface Ground { kind: string; origin: [number, number]; size: [number, number]; centres: Record<string, [number, number]>; outline: string; outlines: Record<string, string>; scale: number; names: Record<string, string>; usual: string; terrain: Record<string, string[]>; distance: { unit: string; per: number }; }
