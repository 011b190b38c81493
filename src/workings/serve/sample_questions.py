"""Example passages and questions of the start page."""

from workings.serve.permalinks import PageQuery

EXAMPLES = (
    PageQuery(
        "How many more dollars did the cake stall take than the book stall?",
        "The summer fair of Elm Road School took place on Saturday, 14 June 2025. It raised "
        "$3,480 for the new library, compared with $2,915 in 2024. The cake stall took $864, the "
        "tombola $742 and the book stall $391, while the bouncy castle earned $518 after its hire "
        "of $120 was paid. In all, 1,260 visitors came, of whom 415 were children. The raffle "
        "sold 930 tickets, and 37 of them won a prize. The school opened in 1958, and the first "
        "fair was held in 1974.",
    ),
    PageQuery(
        "How many percent of the use was not heating?",
        "Your electricity bill covers the months from January to March. You used 912 kWh, against "
        "1,104 kWh in the same months of last year. The energy cost $246.24 and the standing "
        "charge was $27.90. Heating made up 58% of your use, hot water 21% and lighting 9%. You "
        "paid $80 a month by direct debit. The meter was installed in 2016 and replaced in 2023.",
    ),
    PageQuery(
        "How many more passengers did the ferry carry in July than in January?",
        "The Skarra ferry sails four times a day in winter and nine times a day in summer. The "
        "crossing takes 35 minutes, or 50 minutes by way of Little Holm. An adult ticket costs "
        "$6.40 and a child's ticket $3.20; a car costs $18.50. The ferry carries 240 passengers "
        "and 32 cars. The first ferry was built in 1962, and the present one, the Islander, "
        "entered service in 1998. In July it carried 41,300 passengers, and in January 6,750.",
    ),
    PageQuery(
        "Which division earned more, Tools or Paper?",
        "Revenue of the group rose to 84.6 million crowns in the third quarter. The Tools "
        "division earned 31.2 million, the Paper division 28.9 million, and Services the rest. "
        "The board expects 340 million for the year, and will pay 2.5 crowns a share.",
    ),
    PageQuery(
        "How many years passed between the opening of the bridge and its rebuilding?",
        "Work on the iron bridge at Corran began in the spring of 1868, and it opened to traffic "
        "on 9 June 1871. A flood carried two of its five arches away in November 1903. The town "
        "rebuilt it in stone by 1907, and it has carried the coast road since.",
    ),
    PageQuery(
        "How many field goals did Marden kick?",
        "Harbour City opened the scoring in the first quarter when Marden kicked a 24-yard field "
        "goal, and Alder Vale answered with a 3-yard touchdown run by Quill. In the second "
        "quarter Marden added field goals of 41 and 33 yards, and the visitors led 9-7 at half- "
        "time. After a scoreless third quarter, Quill ran 18 yards for his second touchdown of "
        "the night. Marden had the last word with a 52-yard field goal, but Alder Vale held on to "
        "win 14-12.",
    ),
)
