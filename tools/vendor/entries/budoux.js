import { model } from "../node_modules/budoux/module/data/models/ja.js";
import { Parser } from "../node_modules/budoux/module/parser.js";

export const japanese = new Parser(model);
